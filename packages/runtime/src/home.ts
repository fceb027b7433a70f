/** The home directory as the environment names it. */
export function homeOf(env: { readonly [name: string]: string | undefined }): string | undefined {
  return env["HOME"] ?? env["USERPROFILE"];
}
