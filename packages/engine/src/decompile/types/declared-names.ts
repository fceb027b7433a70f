/** Words that C gives a meaning, and what headers of the C library define as macros in small letters. */
const words = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
    "asm typeof bool true false alignas alignof nullptr thread_local constexpr static_assert errno stdin stdout stderr unix linux assert alloca " +
    "d_fileno math_errhandling no_argument optional_argument required_argument sched_priority").split(" "),
);

/** Beginnings of member names that the headers define as macros. */
const macroMembers = /^(?:sa|si|st|sigev)_[a-z_]+$/;

/** Structures that headers of the C library define. */
const headerTags = new Set(
  ("cmsghdr dirent dirent64 dl_find_object drand48_data f_owner_ex file_handle flock flock64 group iovec itimerspec itimerval lconv linger link_map mmsghdr msghdr obstack option osockaddr passwd pollfd pthread_attr_t " +
    "random_data re_dfa_t re_pattern_buffer re_registers rlimit rlimit64 rusage sched_param sigaction sigcontext sigevent sigstack sigval sockaddr sockaddr_at sockaddr_ax25 sockaddr_dl sockaddr_eon sockaddr_in " +
    "sockaddr_in6 sockaddr_inarp sockaddr_ipx sockaddr_iso sockaddr_ns sockaddr_storage sockaddr_un sockaddr_x25 stat stat64 statx statx_timestamp termio timespec timeval timex timezone tm ucontext_t ucred winsize").split(" "),
);

/** Beginnings of constants that the headers define. */
const headerConstants =
  /^(?:_|[EP]_|DT_|CLD_|SI_|SEGV_|BUS_|ILL_|FPE_|TRAP_|POLL_?|SOCK_|MSG_|SHUT_|SCM_|RLIM|RUSAGE_|PRIO_|ITIMER_|PTHREAD_|REG_|RTLD_|SS_|SIG|FP_|F_|M_|O_|S_I|LC_|AF_|PF_|MAP_|PROT_|SEEK_|U?INT|[LU]?LONG_|U?CHAR_|U?SHRT_|SIZE_|WCHAR|WINT|PTRDIFF|(?:F|R|W|X)_OK$|EXIT_|CLOCK_|E[A-Z0-9]+$|HUGE|NAN$|NULL$|BUFSIZ|FILENAME|FOPEN|RAND_|MB_|TMP_|CPU_|REA_|DOMAIN$|SING$|OVERFLOW$|UNDERFLOW$|PLOSS$|TLOSS$|NSIG|WNOHANG|WUNTRACED|TIME_UTC)/;

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The name of a member as C allows it beside the headers; undefined for what cannot be one. */
export function memberName(name: string): string | undefined {
  if (!identifier.test(name) || name.startsWith("__")) return undefined;
  return words.has(name) || macroMembers.test(name) ? `${name}_` : name;
}

/** The tag of a structure, union or enum of the program, kept apart from those of the headers. */
export function tagName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, "_").slice(0, 60);
  const isTaken = words.has(plain) || headerTags.has(plain) || plain.startsWith("_") || /^\d|_$/.test(plain) || plain === "";
  return isTaken ? `${/^\d|^$/.test(plain) ? "t" : ""}${plain}_` : plain;
}

/** Whether the name of a constant may be defined beside the headers. */
export function isFreeConstant(name: string): boolean {
  return identifier.test(name) && !words.has(name) && !headerConstants.test(name) && !/^(?:rea_.*|frame|(?:v|arg|L)\d+|sub_.*|section_.*)$/.test(name);
}
