/** How a command hands back its exit status. */
export type Finish = (status: number) => void;
