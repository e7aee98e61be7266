// With what a copy on a site was last written, as text in an annotation: `<revision>/<content>/<time>`.

export interface Written {
  readonly revision: string;
  /** A digest of what was written. */
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Null if it does not say. */
export function readWritten(text: string | undefined): Written | null {
  const [revision = '', content = '', time = ''] = (text ?? '').split('/');
  const at = Date.parse(time);
  return revision === '' || content === '' || Number.isNaN(at) ? null : { revision, content, at };
}

export function writtenAs({ revision, content, at }: Written): string {
  return `${revision}/${content}/${new Date(at).toISOString()}`;
}
