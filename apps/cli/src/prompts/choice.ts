/** What a person can choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}
