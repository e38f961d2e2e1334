// Names of the C library's functions: those of C11, of POSIX.1-2017, and the additions of glibc 2.36.
#include "ir/library_names.h"

#include <sstream>
#include <unordered_set>

namespace tangram::ir {

namespace {

/// Without those of a family (below), and without forms of others: for float and long double, `_r`, `_l`, `64`.
constexpr const char *functionNames = R"names(
a64l abort abs accept accept4 access acct acos acosh addmntent addseverity adjtime adjtimex
alarm aligned_alloc alloca alphasort arc4random arc4random_buf arc4random_uniform arch_prctl
argp_err_exit_status argz_create asctime asin asinh asprintf assert atan atan2 atanh atof atoi
atol backtrace backtrace_symbols backtrace_symbols_fd basename bcmp bcopy bind
bind_textdomain_codeset bindresvport bindtextdomain brk bsd_signal bsearch btowc bzero c16rtomb
c32rtomb c8rtomb cabs cacos cacosh call_once calloc canonicalize canonicalize_file_name capget
capset carg casin casinh catan catanh catclose catgets catopen cbrt ccos ccosh ceil cexp
cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed cfsetspeed chdir chflags chmod chown
chroot cimag clearenv clearerr clearerr_unlocked clock clog clog10 clone close close_range
closedir closefrom closelog cnd_destroy confstr conj connect copy_file_range copysign cos cosh
cpow cproj creal creat csin csinh csqrt ctan ctanh ctermid ctime cuserid daddl daemon daylight
dcgettext dcngettext ddivl delete_module dfmal dgettext difftime dirfd dirname div dladdr
dladdr1 dlclose dlerror dlinfo dlmopen dlopen dlsym dlvsym dmull dn_comp dn_expand dn_skipname
dngettext dprintf drand48 drem dsqrtl dsubl dup dup2 dup3 duplocale dysize eaccess ecvt
endaliasent endfsent endgrent endhostent endmntent endnetent endnetgrent endprotoent endpwent
endservent endsgent endspent endttyent endusershell endutent endutxent environ epoll_create
erand48 erf erfc err errno error error_at_line error_message_count error_one_per_line
error_print_progname errx euidaccess eventfd execl execle execlp execv execve execveat execvp
execvpe exit exp exp10 exp2 explicit_bzero expm1 fabs faccessat fadd fallocate fchdir fchflags
fchmod fchmodat fchown fchownat fclose fcloseall fcntl fcvt fdatasync fdim fdiv fdopen fdopendir
feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept fegetexceptflag fegetmode
fegetround feholdexcept feof feof_unlocked feraiseexcept ferror ferror_unlocked fesetenv
fesetexcept fesetexceptflag fesetmode fesetround fetestexcept fetestexceptflag feupdateenv
fexecve fflush fflush_unlocked ffma ffs fgetc fgetc_unlocked fgetgrent fgetpos fgetpwent fgets
fgets_unlocked fgetsgent fgetspent fgetwc fgetwc_unlocked fgetws fgetws_unlocked fgetxattr
fileno fileno_unlocked finite flistxattr flock flockfile floor fma fmax fmaximum fmaximum_mag
fmaximum_mag_num fmaximum_num fmaxmag fmemopen fmin fminimum fminimum_mag fminimum_mag_num
fminimum_num fminmag fmod fmtmsg fmul fnmatch fopen fopencookie fork forkpty fpathconf
fpclassify fprintf fputc fputc_unlocked fputs fputs_unlocked fputwc fputwc_unlocked fputws
fputws_unlocked fread fread_unlocked free freeaddrinfo freeifaddrs freelocale fremovexattr
freopen frexp fromfp fromfpx fscanf fsconfig fseek fseeko fsetpos fsetxattr fsmount fsopen
fspick fsqrt fstat fstatat fstatfs fstatvfs fsub fsync ftell ftello ftime ftok ftruncate
ftrylockfile fts_children fts_close fts_open fts_read fts_set ftw funlockfile futimens futimes
futimesat fwide fwprintf fwrite fwrite_unlocked fwscanf gai_cancel gai_error gai_strerror
gai_suspend gamma gcvt get_avphys_pages get_current_dir_name get_nprocs get_nprocs_conf
get_phys_pages getaddrinfo getaddrinfo_a getaliasbyname getaliasent getauxval getc getc_unlocked
getchar getchar_unlocked getcontext getcpu getcwd getdate getdate_err getdelim getdirentries
getdomainname getdtablesize getegid getentropy getenv geteuid getfsent getfsfile getfsspec
getgid getgrent getgrgid getgrnam getgrouplist getgroups gethostbyaddr gethostbyname
gethostbyname2 gethostent gethostid gethostname getifaddrs getipv4sourcefilter getitimer getline
getloadavg getlogin getmntent getnameinfo getnetbyaddr getnetbyname getnetent getnetgrent getopt
getopt_long getopt_long_only getpagesize getpass getpayload getpeername getpgid getpgrp getpid
getppid getpriority getprotobyname getprotobynumber getprotoent getpt getpw getpwent getpwnam
getpwuid getrandom getresgid getresuid getrlimit getrusage gets getservbyname getservbyport
getservent getsgent getsgnam getsid getsockname getsockopt getsourcefilter getspent getspnam
getsubopt gettext gettid gettimeofday getttyent getttynam getuid getusershell getutent getutid
getutline getutmp getutmpx getutxent getutxid getutxline getw getwc getwc_unlocked getwchar
getwchar_unlocked getwd getxattr glob glob_pattern_p globfree gmtime gnu_dev_major
gnu_dev_makedev gnu_dev_minor gnu_get_libc_release gnu_get_libc_version grantpt group_member
gsignal h_errlist h_nerr hasmntopt hcreate hdestroy herror hsearch hstrerror htonl htons hypot
iconv iconv_close iconv_open if_freenameindex if_indextoname if_nameindex if_nametoindex ilogb
imaxabs imaxdiv in6addr_any in6addr_loopback index init_module initgroups initstate innetgr
insque ioctl ioperm iopl isalnum isalpha isascii isatty isblank iscntrl isctype isdigit isfdtype
isfinite isgraph isinf islower isnan isnormal isprint ispunct isspace isupper iswalnum iswalpha
iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper
iswxdigit isxdigit j0 j0f j0l j1 j1f j1l jn jnf jnl jrand48 kill killpg klogctl l64a labs lchmod
lchown lckpwdf lcong48 ldexp ldiv lfind lgamma lgetxattr link linkat lio_listio listen listxattr
llabs lldiv llistxattr llogb llrint llround localeconv localtime lockf log log10 log1p log2 logb
login login_tty logout logwtmp longjmp lrand48 lremovexattr lrint lround lsearch lseek lsetxattr
lstat lutimes madvise main makecontext mallinfo mallinfo2 malloc malloc_info malloc_stats
malloc_trim malloc_usable_size mallopt mblen mbrlen mbrtoc16 mbrtoc32 mbrtoc8 mbrtowc mbsinit
mbsnrtowcs mbsrtowcs mbstowcs mbtowc mcheck mcount memalign memccpy memchr memcmp memcpy
memfd_create memfrob memmem memmove mempcpy memrchr memset mincore mkdir mkdirat mkdtemp mkfifo
mkfifoat mknod mknodat mkostemp mkostemps mkstemp mkstemps mktemp mktime mlock mlock2 mlockall
mmap modf modify_ldt moncontrol monstartup mount mount_setattr move_mount mprobe mprotect
mrand48 mremap msgctl msgget msgrcv msgsnd msync mtrace mtx_destroy munlock munlockall munmap
muntrace name_to_handle_at nan nanosleep nearbyint newlocale nextafter nextdown nexttoward
nextup nftw ngettext nice nl_langinfo nrand48 ntohl ntohs ntp_adjtime ntp_gettime ntp_gettimex
offsetof on_exit open open_by_handle_at open_memstream open_tree open_wmemstream openat opendir
openlog openpty optarg opterr optind optopt parse_printf_format pathconf pause pclose perror
personality pidfd_getfd pidfd_open pidfd_send_signal pipe pipe2 pivot_root poll popen
posix_spawn_file_actions_destroy posix_spawnattr_destroy pow pow10 ppoll prctl pread preadv
preadv2 preadv64v2 printf printf_size printf_size_info prlimit process_vm_readv
process_vm_writev profil program_invocation_name program_invocation_short_name pselect psiginfo
psignal pthread_attr_destroy pthread_barrier_destroy pthread_barrierattr_destroy
pthread_cond_destroy pthread_condattr_destroy pthread_create pthread_key_create
pthread_mutex_destroy pthread_mutexattr_destroy pthread_rwlock_destroy
pthread_rwlockattr_destroy pthread_spin_destroy ptrace ptsname putc putc_unlocked putchar
putchar_unlocked putenv putgrent putpwent puts putsgent putspent pututline pututxline putw putwc
putwc_unlocked putwchar putwchar_unlocked pvalloc pwrite pwritev pwritev2 pwritev64v2 qecvt
qfcvt qgcvt qsort quick_exit quotactl raise rand random rawmemchr re_comp re_compile_fastmap
re_compile_pattern re_exec re_match re_match_2 re_max_failures re_search re_search_2
re_set_registers re_set_syntax re_syntax_options read readahead readdir readlink readlinkat
readv realloc reallocarray realpath reboot recv recvfrom recvmmsg recvmsg regcomp regerror
regexec regfree register_printf_function register_printf_modifier register_printf_specifier
register_printf_type remainder remap_file_pages remove removexattr remque remquo rename renameat
renameat2 res_init res_query res_search revoke rewind rewinddir rindex rint rmdir round
roundeven rpmatch ruserpass sbrk scalb scalbln scalbn scandir scandirat scanf secure_getenv
seed48 seekdir select sem_destroy semctl semget semop semtimedop send sendfile sendmmsg sendmsg
sendto setaliasent setbuf setbuffer setcontext setdomainname setegid setenv seteuid setfsent
setfsgid setfsuid setgid setgrent setgroups sethostent sethostid sethostname setipv4sourcefilter
setitimer setjmp setlinebuf setlocale setlogin setlogmask setmntent setnetent setnetgrent setns
setpayload setpayloadsig setpgid setpgrp setpriority setprotoent setpwent setregid setresgid
setresuid setreuid setrlimit setservent setsgent setsid setsockopt setsourcefilter setspent
setstate settimeofday setttyent setuid setusershell setutent setutxent setvbuf setxattr
sgetsgent sgetspent shm_open shm_unlink shmat shmctl shmdt shmget shutdown sigabbrev_np
sigaction sigaddset sigaltstack sigandset sigblock sigdelset sigdescr_np sigemptyset sigfillset
siggetmask sighold sigignore siginterrupt sigisemptyset sigismember siglongjmp signal signalfd
signbit signgam significand sigorset sigpause sigpending sigprocmask sigqueue sigrelse sigreturn
sigset sigsetjmp sigsetmask sigstack sigsuspend sigtimedwait sigwait sigwaitinfo sin sincos sinh
sleep snprintf sockatmark socket socketpair splice sprintf sprofil sqrt srand srand48 srandom
sscanf ssignal stat statfs statvfs statx stderr stdin stdout stpcpy stpncpy strcasecmp
strcasestr strcat strchr strchrnul strcmp strcoll strcpy strcspn strdup strerror strerrordesc_np
strerrorname_np strfmon strfromd strfromf strfroml strfry strftime strlen strncasecmp strncat
strncmp strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod
strtof strtoimax strtok strtol strtold strtoq strtoul strtoumax strtouq strverscmp strxfrm swab
swapcontext swapoff swapon swprintf swscanf symlink symlinkat sync sync_file_range syncfs
syscall sysconf sysinfo syslog system sysv_signal tan tanh tcdrain tcflow tcflush tcgetattr
tcgetpgrp tcgetsid tcsendbreak tcsetattr tcsetpgrp tdelete tdestroy tee telldir tempnam
textdomain tfind tgamma tgkill thrd_create time timegm timelocal timer_create timer_delete
timer_getoverrun timer_gettime timer_settime timerfd_create times timespec_get timespec_getres
timezone tmpfile tmpnam toascii tolower totalorder totalordermag toupper towctrans towlower
towupper trunc truncate tsearch tss_create ttyname ttyslot twalk tzname tzset ualarm ufromfp
ufromfpx ulckpwdf ulimit umask umount umount2 uname ungetc ungetwc unlink unlinkat unlockpt
unsetenv unshare updwtmp updwtmpx uselocale usleep utime utimensat utimes utmpname utmpxname
va_arg va_copy va_end va_start valloc vasprintf vdprintf verr verrx versionsort vfork vfprintf
vfscanf vfwprintf vfwscanf vhangup vlimit vmsplice vprintf vscanf vsnprintf vsprintf vsscanf
vswprintf vswscanf vsyslog vwarn vwarnx vwprintf vwscanf wait wait3 wait4 waitid waitpid warn
warnx wcpcpy wcpncpy wcrtomb wcscasecmp wcscat wcschr wcschrnul wcscmp wcscoll wcscpy wcscspn
wcsdup wcsftime wcslen wcsncasecmp wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr
wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstombs wcstoq wcstoul
wcstoumax wcstouq wcswcs wcswidth wcsxfrm wctob wctomb wctrans wctype wcwidth wmemchr wmemcmp
wmemcpy wmemmove wmempcpy wmemset wordexp wordfree wprintf write writev wscanf y0 y0f y0l y1 y1f
y1l yn ynf ynl
)names";

constexpr const char *families[] = {"aio_",   "argp_",    "argz_",    "clock_",   "cnd_",
                                    "envz_",  "epoll_",   "ether_",   "eventfd_", "fanotify_",
                                    "inet6_", "inet_",    "inotify_", "mcheck_",  "mq_",
                                    "mtx_",   "obstack_", "pkey_",    "posix_",   "pthread_",
                                    "sched_", "sem_",     "thrd_",    "timerfd_", "tss_"};

const std::unordered_set<std::string> &functions() {
  static const std::unordered_set<std::string> names = [] {
    std::istringstream words(functionNames);
    std::unordered_set<std::string> all;
    for (std::string word; words >> word;)
      all.insert(word);
    return all;
  }();
  return names;
}

/// A name without the end of a form of it; empty: it has no such end.
std::string withoutEnd(const std::string &name, const std::string &end) {
  return name.size() > end.size() && name.ends_with(end) ? name.substr(0, name.size() - end.size())
                                                         : "";
}

} // namespace

bool isFunctionOfLibrary(const std::string &name) { return functions().contains(name); }

bool isOfLibrary(const std::string &name) {
  if (isFunctionOfLibrary(name))
    return true;
  for (const char *family : families) {
    if (name.starts_with(family) && name != family)
      return true;
  }
  for (const char *end :
       {"f", "l", "_r", "_l", "64", "f16", "f32", "f64", "f128", "f32x", "f64x"}) {
    if (functions().contains(withoutEnd(name, end)))
      return true;
  }
  return false;
}

} // namespace tangram::ir
