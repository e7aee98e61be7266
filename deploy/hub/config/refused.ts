// Why a hub is not started: sentences, each with the field and what to do.

export class ConfigRefused extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigRefused';
    this.sentences = sentences;
  }
}

/** Collects what is wrong, and what may surprise. */
export interface Findings {
  readonly refusals: string[];
  readonly warnings: string[];
}
