/** By which managedFields name the chain from hosts to a site. */
export const MADE_BY = { fieldManager: 'cappstan-sip' } as const;
