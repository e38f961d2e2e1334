"""A browser, for tests of pages: Chromium, driven through the WebDriver protocol.

`scripts/setup` installs both (Debian: chromium, chromium-driver); without them a test is skipped.
"""

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

from pipeline import skip

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--host-resolver-rules=MAP * ~NOTFOUND"]  # whatever wants a network fails
KEYS = {"up": "\ue013", "down": "\ue015", "enter": "\ue007", "escape": "\ue00c", "tab": "\ue004"}


class Browser:
    """One window. Used in a `with` statement, it ends with it."""

    def __init__(self):
        driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
        if not driver or not chromium:
            skip("needs chromium and chromedriver (Debian: chromium, chromium-driver)")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}"
        options = {"binary": chromium, "args": ARGUMENTS}
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome",
                                                   "goog:chromeOptions": options,
                                                   "goog:loggingPrefs": {"browser": "ALL"}}}}
        for attempt in range(100):
            try:
                self.address += "/session/" + self.send("POST", "/session", wanted)["sessionId"]
                return
            except urllib.error.HTTPError:
                raise
            except urllib.error.URLError:
                if attempt == 99:
                    raise
                time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("DELETE", "", None)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def send(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, file):
        self.send("POST", "/url", {"url": f"file://{file}"})

    def resize(self, width, height):
        # A headless window is never narrower than 500; what the page sees can be.
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def run(self, script, *arguments):
        """What `script`, the body of a function, returns."""
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        found = self.send("POST", "/element", {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def click(self, selector):
        self.send("POST", f"/element/{self.find(selector)}/click", {})

    def write(self, selector, text):
        self.send("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, key):
        """Whatever has the focus gets the key."""
        value = KEYS.get(key, key)
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}]})

    def devtools(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def emulate(self, scheme, media=""):
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        """What the console has of errors."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]

    def picture(self, file):
        """The whole page as PNG."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))

    def printed(self):
        """The page as PDF."""
        return base64.b64decode(self.send("POST", "/print", {"background": True}))
