/** Makes the error for an image that is not a PNG as it should be; `problem` continues "The … image cannot be read: ". */
export type PngRefusal = (problem: string, offset?: number) => Error;
