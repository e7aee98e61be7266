// What an agent measures on its site.

/** One named figure of a site, an integer from -100 to 100, higher is better. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

export interface MeasuredSite {
  readonly figures: readonly Figure[];
}

export interface ScoreOrder {
  readonly cluster: string;
  /** How often the Schedule runs. A published score is valid for several of these. */
  readonly intervalSeconds: number;
}
