// Why a cluster cannot join or leave: sentences, each with what to do.

export class JoinRefused extends Error {
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'JoinRefused';
  }
}

/** Nobody answers where the hub was, or somebody who has another key than the hub. */
export class NobodyThere extends JoinRefused {}
