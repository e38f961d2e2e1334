"""What every measurement shares: the machine's description, child processes, manifests, reports."""
