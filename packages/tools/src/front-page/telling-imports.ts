/** What imports say a program can do. The order is the order of a page: the most telling first. */
export const importGroups = [
  "network",
  "process",
  "injection",
  "anti_analysis",
  "crypto",
  "dynamic_code",
  "persistence",
  "privileges",
  "files",
  "user_interface",
] as const;
export type ImportGroup = (typeof importGroups)[number];

/** One sentence for each group; what the imports suggest, not what the program does. */
export const importGroupMeanings = {
  network: "talks to other machines",
  process: "starts or controls other programs",
  injection: "reads or writes the memory of other processes",
  anti_analysis: "looks for debuggers or tracing",
  crypto: "encrypts, hashes or checks certificates",
  dynamic_code: "loads code or makes memory executable at run time",
  persistence: "registers services, tasks or settings",
  privileges: "changes users or rights",
  files: "removes, renames, maps or lists files",
  user_interface: "shows windows or reads input devices",
} as const satisfies { readonly [group in ImportGroup]: string };

// Names of POSIX, Win32 and Darwin interfaces, without leading underscores and without the A/W of Win32.
const namesByGroup = {
  network:
    "socket connect bind listen accept accept4 send sendto sendmsg recv recvfrom recvmsg getaddrinfo gethostbyname getnameinfo " +
    "inet_pton inet_addr setsockopt WSAStartup WSASocket WSAConnect WSASend WSARecv InternetOpen InternetOpenUrl InternetConnect " +
    "InternetReadFile HttpOpenRequest HttpSendRequest WinHttpOpen WinHttpConnect WinHttpOpenRequest WinHttpSendRequest " +
    "URLDownloadToFile DnsQuery curl_easy_init curl_easy_perform SSL_connect SSL_read SSL_write CFStreamCreatePairWithSocketToHost " +
    "CFHTTPMessageCreateRequest nw_connection_create res_query if_nametoindex",
  process:
    "fork vfork execve execv execvp execl execlp execle posix_spawn posix_spawnp system popen kill waitpid wait4 clone pipe pipe2 " +
    "CreateProcess CreateProcessAsUser ShellExecute ShellExecuteEx WinExec TerminateProcess OpenProcess CreateToolhelp32Snapshot " +
    "Process32First Process32Next EnumProcesses NtCreateUserProcess openpty forkpty task_for_pid proc_listpids",
  injection:
    "WriteProcessMemory ReadProcessMemory CreateRemoteThread CreateRemoteThreadEx VirtualAllocEx QueueUserAPC SetThreadContext " +
    "NtMapViewOfSection NtUnmapViewOfSection NtWriteVirtualMemory RtlCreateUserThread SetWindowsHookEx process_vm_readv " +
    "process_vm_writev mach_vm_write mach_vm_read thread_create_running",
  anti_analysis:
    "ptrace prctl IsDebuggerPresent CheckRemoteDebuggerPresent NtQueryInformationProcess NtSetInformationThread OutputDebugString " +
    "DebugActiveProcess GetThreadContext sysctl",
  crypto:
    "CryptAcquireContext CryptEncrypt CryptDecrypt CryptHashData CryptGenRandom CryptProtectData CryptUnprotectData BCryptEncrypt " +
    "BCryptDecrypt BCryptHashData BCryptGenRandom NCryptDecrypt WinVerifyTrust EVP_EncryptInit_ex EVP_DecryptInit_ex EVP_DigestInit_ex " +
    "EVP_CipherInit_ex SHA256_Init SHA1_Init MD5_Init AES_set_encrypt_key RSA_public_encrypt RAND_bytes CCCrypt CC_SHA256 CC_MD5 " +
    "SecKeyCreateSignature SecItemCopyMatching SecTrustEvaluateWithError gnutls_init gcry_cipher_open crypt getrandom getentropy",
  dynamic_code:
    "dlopen dlsym dlmopen mprotect LoadLibrary LoadLibraryEx GetProcAddress LdrLoadDll VirtualProtect VirtualAlloc NSCreateObjectFileImageFromMemory " +
    "memfd_create pthread_jit_write_protect_np RtlDecompressBuffer",
  persistence:
    "RegCreateKey RegCreateKeyEx RegSetValue RegSetValueEx RegDeleteKey RegOpenKeyEx RegQueryValueEx CreateService OpenSCManager StartService " +
    "ChangeServiceConfig RegisterServiceCtrlHandler StartServiceCtrlDispatcher SMLoginItemSetEnabled SMJobBless daemon",
  privileges:
    "setuid seteuid setreuid setresuid setgid setegid setgroups setresgid capset chroot initgroups AdjustTokenPrivileges OpenProcessToken LookupPrivilegeValue " +
    "ImpersonateLoggedOnUser DuplicateTokenEx LogonUser AuthorizationExecuteWithPrivileges pam_start pam_authenticate getspnam unshare setns mount umount umount2",
  files:
    "unlink unlinkat rename renameat renameat2 remove rmdir mkdir mkdirat chmod fchmod chown fchown link symlink symlinkat opendir readdir readdir64 nftw ftw fts_open mmap mmap64 " +
    "inotify_add_watch CreateFile DeleteFile MoveFile MoveFileEx CopyFile FindFirstFile FindNextFile CreateFileMapping MapViewOfFile " +
    "SetFileAttributes GetTempPath ReadDirectoryChanges FSEventStreamCreate",
  user_interface:
    "CreateWindow CreateWindowEx MessageBox GetAsyncKeyState GetKeyState BitBlt GetDC OpenClipboard GetClipboardData SetClipboardData " +
    "XOpenDisplay wl_display_connect gtk_init initscr newterm NSApplicationMain UIApplicationMain CGEventTapCreate CGWindowListCreateImage glfwInit SDL_Init",
} as const satisfies { readonly [group in ImportGroup]: string };

const groupByName = new Map<string, ImportGroup>(
  importGroups.flatMap((group) => namesByGroup[group].split(" ").map((name): [string, ImportGroup] => [name, group])),
);

/**
 * What an import says, or undefined when it says nothing in particular. Accepts the name as the file has it:
 * leading underscores (Mach-O), `__imp_`, the A or W of Win32, `@plt`, symbol versions and fortified `__x_chk` forms.
 */
export function importGroupOf(name: string): ImportGroup | undefined {
  const plain = (name.split("@")[0] ?? "").replace(/^__imp_/, "").replace(/^_+/, "").replace(/_chk$/, "").replace(/\$[A-Z0-9$]+$/, "");
  return groupByName.get(plain) ?? groupByName.get(plain.replace(/[AW]$/, ""));
}
