// What the program's exit codes mean; docs/kubectl-capp.md shows this table.

export const EXIT = {
  done: { code: 0, means: 'done, or the answer is yes' },
  failed: { code: 1, means: 'the hub refused, or something failed' },
  usage: { code: 2, means: 'the command line is wrong, or a question needs `--yes`' },
  unreachable: { code: 3, means: 'the hub does not answer, or does not accept who you are' },
  forbidden: { code: 4, means: 'you may not do this' },
  notFound: { code: 5, means: 'there is no such Capp, site or context, or Cappstan is not installed' },
  notSo: {
    code: 6,
    means:
      'what was waited for did not happen, Capps stay on a drained site, a check of a drill failed, or `doctor` found faults',
  },
  interrupted: {
    code: 130,
    means: 'you pressed Ctrl-C, or nobody reads what the command writes while it waits',
  },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly means: string }>>;

export type Exit = keyof typeof EXIT;

/** Ends the program with this sentence, which names the remedy, and this exit code. */
export class CommandFailure extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, sentence: string) {
    super(sentence);
    this.name = 'CommandFailure';
    this.exit = exit;
  }
}
