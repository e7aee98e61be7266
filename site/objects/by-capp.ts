// The index of each cache of the site operator by the Capp that an object belongs to.

/** Its keys are "namespace/name". */
export const BY_CAPP = 'capp';
