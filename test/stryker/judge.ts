// What a report of StrykerJS says against the survivors that are known. Pure.

/** As in the report's schema (mutation-testing-report-schema 2), as far as it is read. */
export interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Tried[] }>>;
}

interface Tried {
  readonly status: string;
  readonly replacement: string;
  /** Lines and columns from 1; the end is behind the last letter. */
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A fault that no test sees. */
export interface Survivor {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The first line that it changes, without the spaces around it. */
  readonly line: string;
  /** What stood there, and what came in its place. */
  readonly text: string;
  readonly becomes: string;
}

export interface KnownSurvivor extends Survivor {
  /** Why no test can or need see it. */
  readonly because: string;
}

export interface Judgement {
  readonly tried: number;
  /** Survived, and nobody has said why that may be. */
  readonly unknown: readonly Survivor[];
  /** Known, in a file that was tried, and seen now or not to be found any more. */
  readonly outdated: readonly KnownSurvivor[];
}

/** What no test runs through survives, too. What did not compile or took for ever was seen. */
const UNSEEN = new Set(['Survived', 'NoCoverage']);

export function judge(report: StrykerReport, known: readonly KnownSurvivor[]): Judgement {
  const survivors = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(({ status }) => UNSEEN.has(status)).map((one) => survivorOf(file, source, one)),
  );
  const found = new Set(survivors.map(keyOf));
  const explained = new Set(known.map(keyOf));
  return {
    tried: Object.values(report.files).reduce((sum, { mutants }) => sum + mutants.length, 0),
    unknown: survivors.filter((one) => !explained.has(keyOf(one))),
    outdated: known.filter((one) => one.file in report.files && !found.has(keyOf(one))),
  };
}

function keyOf({ file, line, text, becomes }: Survivor): string {
  return JSON.stringify([file, line, text, becomes]);
}

function survivorOf(file: string, source: string, { location, replacement }: Tried): Survivor {
  const lines = source.split('\n').slice(location.start.line - 1, location.end.line);
  const line = lines[0]?.trim() ?? '';
  const last = lines.length - 1;
  const cut = lines.map((one, at) => (at === last ? one.slice(0, location.end.column - 1) : one));
  const text = cut.join('\n').slice(location.start.column - 1);
  return { file, line, text, becomes: replacement };
}
