// What an agent measures of its site.

/** One named number of a site, an integer from -100 to 100, higher is better. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

export interface Measured {
  readonly figures: readonly Figure[];
}

export interface ScoreOrder {
  readonly cluster: string;
  /** How often the Schedule runs: what is published is valid for several of these. */
  readonly intervalSeconds: number;
}
