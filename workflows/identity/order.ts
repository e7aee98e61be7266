// What is asked for the identity of a site's agent, and what became of it.

export interface IdentityOrder {
  readonly cluster: string;
}

/** Times are in milliseconds since the epoch. Nothing of the token itself. */
export type Identified =
  /** A new token is on its way to the site. */
  | { readonly outcome: 'Made'; readonly endsAt: number }
  /** The one that the site has is good for long enough. */
  | { readonly outcome: 'Kept'; readonly endsAt: number }
  /** The hub has no gateway, or the cluster is not accepted or is being deleted. */
  | { readonly outcome: 'None' };
