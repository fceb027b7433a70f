/** How much of each list a reply holds. */
export interface Sizes {
  readonly items: number;
  readonly channels: number;
  readonly packages: number;
  readonly hosts: number;
  readonly perHost: number;
  readonly members: number;
  /** Places of one finding. */
  readonly sites: number;
  readonly unknowns: number;
}

/** From the usual one to what fits whatever the application is. */
export const sizeSteps: readonly Sizes[] = [
  { items: 12, channels: 30, packages: 30, hosts: 15, perHost: 4, members: 40, sites: 2, unknowns: 15 },
  { items: 8, channels: 16, packages: 16, hosts: 10, perHost: 2, members: 20, sites: 2, unknowns: 8 },
  { items: 4, channels: 8, packages: 8, hosts: 5, perHost: 1, members: 8, sites: 1, unknowns: 4 },
  { items: 2, channels: 3, packages: 3, hosts: 2, perHost: 1, members: 3, sites: 1, unknowns: 2 },
];
