/**
 * Prototypes of library functions by header: `name result arguments`, one letter a type (see `typeOfLetter`), `.` at the
 * end for a variable list, `!` before the name where it does not return.
 */
export const libraryTable: Readonly<Record<string, string>> = {
  "string.h": `strlen L s;strcpy s ss;strncpy s ssL;strcat s ss;strncat s ssL;strcmp i ss;strncmp i ssL;strchr s si;strrchr s si;
strstr s ss;strdup s s;strndup s sL;strtok s ss;strtok_r s ssp;memcpy p ppL;memmove p ppL;memset p piL;memcmp i ppL;memchr p piL;
strspn L ss;strcspn L ss;strpbrk s ss;strerror s i;strcoll i ss;strsep s ps;stpcpy s ss;strnlen L sL;strxfrm L ssL;memrchr p piL;
rawmemchr p pi;strchrnul s si;strsignal s i;mempcpy p ppL;stpncpy s ssL;strcasestr s ss;memmem p pLpL;strverscmp i ss`,
  "strings.h": `strcasecmp i ss;strncasecmp i ssL;bzero v pL;bcopy v ppL;bcmp i ppL;index s si;rindex s si;ffs i i`,
  "stdlib.h": `malloc p L;calloc p LL;realloc p pL;free v p;!exit v i;!abort v ;atoi i s;atol l s;atof d s;atoll l s;strtol l spi;
strtoul L spi;strtoll l spi;strtoull L spi;strtod d sp;strtof f sp;rand i ;srand v u;qsort v pLLp;bsearch p ppLLp;abs i i;labs l l;llabs l l;
getenv s s;setenv i ssi;unsetenv i s;putenv i s;system i s;!_exit v i;!_Exit v i;atexit i p;mkstemp i s;mkdtemp s s;realpath s ss;
reallocarray p pLL;posix_memalign i pLL;aligned_alloc p LL;random l ;srandom v u;mblen i sL;mbtowc i psL;wctomb i su;mbstowcs L psL;wcstombs L spL;
div l ii;secure_getenv s s;clearenv i ;getloadavg i pi;drand48 d ;lrand48 l ;srand48 v l`,
  "stdio.h": `printf i s.;fprintf i ps.;sprintf i ss.;snprintf i sLs.;vprintf i sp;vfprintf i psp;vsprintf i ssp;vsnprintf i sLsp;
scanf i s.;fscanf i ps.;sscanf i ss.;puts i s;fputs i sp;putchar i i;putc i ip;fputc i ip;getchar i ;getc i p;fgetc i p;fgets s sip;ungetc i ip;
fopen p ss;fdopen p is;freopen p ssp;fclose i p;fflush i p;fread L pLLp;fwrite L pLLp;fseek i pli;ftell l p;rewind v p;feof i p;ferror i p;
clearerr v p;fileno i p;perror v s;remove i s;rename i ss;tmpfile p ;setvbuf i psiL;setbuf v ps;getline l ppp;getdelim l ppip;popen p ss;pclose i p;
fseeko i pli;ftello l p;asprintf i ps.;dprintf i is.;vasprintf i psp;putchar_unlocked i i;getc_unlocked i p;putc_unlocked i ip;__overflow i pi;__uflow i p;fwrite_unlocked L pLLp;fread_unlocked L pLLp;fflush_unlocked i p;
fputc_unlocked i ip;fgetc_unlocked i p;getchar_unlocked i ;feof_unlocked i p;ferror_unlocked i p;clearerr_unlocked v p;fileno_unlocked i p;fmemopen p pLs;open_memstream p pp;setlinebuf v p;tmpnam s s`,
  "math.h": `sqrt d d;sqrtf f f;pow d dd;powf f ff;floor d d;floorf f f;ceil d d;ceilf f f;round d d;roundf f f;trunc d d;truncf f f;fabs d d;fabsf f f;
fmod d dd;fmodf f ff;sin d d;cos d d;tan d d;asin d d;acos d d;atan d d;atan2 d dd;sinh d d;cosh d d;tanh d d;exp d d;exp2 d d;expm1 d d;log d d;log2 d d;
log10 d d;log1p d d;cbrt d d;hypot d dd;ldexp d di;frexp d dp;modf d dp;lround l d;lroundf l f;llround l d;rint d d;rintf f f;nearbyint d d;nearbyintf f f;lrint l d;lrintf l f;
sinf f f;cosf f f;tanf f f;asinf f f;acosf f f;atanf f f;atan2f f ff;expf f f;logf f f;log2f f f;log10f f f;cbrtf f f;hypotf f ff;fmin d dd;fmax d dd;fminf f ff;fmaxf f ff;copysign d dd;
copysignf f ff;scalbn d di;ldexpf f fi;modff f fp;fdim d dd;fma d ddd;tgamma d d;lgamma d d;erf d d;erfc d d;remainder d dd;logb d d;ilogb i d;nan d s`,
  "ctype.h": `isalpha i i;isdigit i i;isalnum i i;isspace i i;isupper i i;islower i i;ispunct i i;isprint i i;isxdigit i i;iscntrl i i;isgraph i i;isblank i i;toupper i i;tolower i i;__ctype_b_loc p ;__ctype_tolower_loc p ;__ctype_toupper_loc p `,
  "unistd.h": `read l ipL;write l ipL;open_ i s;close i i;lseek l ili;getpid i ;getppid i ;fork i ;execv i sp;execvp i sp;execve i spp;sleep u u;usleep i u;
access i si;chdir i s;getcwd s sL;unlink i s;rmdir i s;dup i i;dup2 i ii;pipe i p;isatty i i;getuid u ;geteuid u ;getgid u ;getegid u ;sysconf l i;
readlink l ssL;symlink i ss;link i ss;chown i suu;fsync i i;ftruncate i il;truncate i sl;alarm u u;pause i ;gethostname i sL;ttyname s i;setsid i ;setpgid i ii;getpgrp i ;tcgetpgrp i i;tcsetpgrp i ii;pread l ipLl;pwrite l ipLl;getpagesize i ;getopt i ips;pathconf l si;nice i i;setuid i u;setgid i u;confstr L isL;getlogin s ;lockf i iil;fchdir i i;pipe2 i pi`,
  "time.h": `time l p;clock l ;ctime s p;localtime p p;gmtime p p;mktime l p;strftime L sLsp;difftime d ll;asctime s p;localtime_r p pp;gmtime_r p pp;nanosleep i pp;clock_gettime i ip;tzset v ;strptime s ssp;timegm l p`,
  "errno.h": `__errno_location p `,
  "assert.h": `!__assert_fail v ssus`,
  "locale.h": `setlocale s is;localeconv p `,
  "signal.h": `signal p ip;raise i i;kill i ii;sigaction i ipp;sigemptyset i p;sigaddset i pi;sigprocmask i ipp;sigfillset i p;sigdelset i pi;sigismember i pi;sigsuspend i p`,
  "wchar.h": `wcslen L p;wcscpy p pp;wcscmp i pp;wcschr p pu;mbrtowc L psLp;wcrtomb L sup;wcwidth i u;mbsrtowcs L pppp;btowc u i;mbrlen L sLp;wmemset p puL;wcsncpy p ppL;wcsrtombs L sppp;mbsinit i p;wcswidth i pL`,
  "wctype.h": `iswalpha i u;iswdigit i u;iswalnum i u;iswspace i u;iswupper i u;iswlower i u;iswprint i u;iswpunct i u;towupper u u;towlower u u;wctype L s;iswctype i uL;iswcntrl i u`,
  "sys/stat.h": `stat i sp;fstat i ip;lstat i sp;mkdir i su;chmod i su;fchmod i iu;umask u u;mkfifo i su`,
  "fcntl.h": `open i si.;fcntl i ii.;creat i su;openat i isi.`,
  "dirent.h": `opendir p s;readdir p p;closedir i p;dirfd i p;rewinddir v p`,
  "sys/wait.h": `wait i p;waitpid i ipi`,
  "sys/mman.h": `mmap p pLiiil;munmap i pL;mprotect i pLi;msync i pLi`,
  "sys/time.h": `gettimeofday i pp;setitimer i ipp;utimes i sp`,
  "sys/ioctl.h": `ioctl i iL.`,
  "setjmp.h": `!longjmp v pi`,
  "pthread.h": `pthread_mutex_lock i p;pthread_mutex_unlock i p;pthread_mutex_init i pp;pthread_mutex_destroy i p;pthread_create i pppp;pthread_join i Lp;pthread_self L ;pthread_cond_wait i pp;pthread_cond_signal i p;pthread_cond_broadcast i p;pthread_setspecific i up;pthread_getspecific p u;pthread_once i pp;pthread_key_create i pp`,
  "dlfcn.h": `dlopen p si;dlsym p ps;dlclose i p;dlerror s `,
  "libintl.h": `gettext s s;dcgettext s ssi;dgettext s ss;bindtextdomain s ss;textdomain s s;ngettext s ssL`,
  "inttypes.h": `imaxabs l l;strtoimax l spi;strtoumax L spi`,
  "sys/resource.h": `getrlimit i ip;setrlimit i ip;getrusage i ip`,
  "pwd.h": `getpwuid p u;getpwnam p s`,
  "grp.h": `getgrgid p u;getgrnam p s`,
  "sys/socket.h": `socket i iii;bind i ipu;listen i ii;accept i ipp;connect i ipu;send l ipLi;recv l ipLi;setsockopt i iiipu;getsockopt i iiipp;shutdown i ii`,
  "poll.h": `poll i pLi`,
  "getopt.h": `getopt_long i ipspp`,
  "regex.h": `regcomp i psi;regexec i psLpi;regfree v p;regerror L ipsL`,
  "fnmatch.h": `fnmatch i ssi`,
  "": `!__stack_chk_fail v ;__printf_chk i is.;__fprintf_chk i pis.;__sprintf_chk i siLs.;__snprintf_chk i sLiLs.;__memcpy_chk p ppLL;__memset_chk p piLL;__memmove_chk p ppLL;
__strcpy_chk s ssL;__strcat_chk s ssL;__strncpy_chk s ssLL;__isoc99_sscanf i ss.;__isoc99_scanf i s.;__isoc99_fscanf i ps.;__isoc23_strtol l spi;__isoc23_strtoul L spi;__isoc23_sscanf i ss.;
__vfprintf_chk i pisp;__vsnprintf_chk i sLiLsp;__xpg_basename s s;__sigsetjmp i pi;_setjmp i p;__asprintf_chk i pis.;__fgets_chk s sLip;__read_chk l ipLL;__strdup s s;!__chk_fail v ;!__fortify_fail v s;
__cxa_atexit i ppp;__cxa_finalize v p;_IO_putc i ip;_IO_getc i p;__fpending L p;__freading i p;__mbstowcs_chk L psLL;!__longjmp_chk v pi;__ctype_get_mb_cur_max L ;__strncat_chk s ssLL;__stpcpy_chk s ssL;__isoc99_vsscanf i ssp`,
};
