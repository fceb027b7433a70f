/** What the provider looks at of the host. */
export interface GhidraHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
