// The numbers in an answer of Prometheus' HTTP API to an instant query. Its labels are not read.

type Unknown = Readonly<Record<string, unknown>>;

const NOT_READ = 'the answer of Prometheus cannot be read';
const NO_NUMBERS = 'the query gives no numbers: let it give a number, or samples with one each';

/** A sentence where there are none to be read, without its full stop. */
export function numbersIn(body: string): readonly number[] | string {
  const answer = parsed(body);
  const { status, data } = fieldsOf(answer);
  const { resultType, result } = fieldsOf(data);
  if (status !== 'success') return NOT_READ;
  if (resultType === 'scalar') return all([result]);
  if (resultType !== 'vector') return NO_NUMBERS;
  return Array.isArray(result) ? all(result.map((one) => fieldsOf(one)['value'])) : NOT_READ;
}

function all(samples: readonly unknown[]): readonly number[] | string {
  const numbers = samples.map(numberOf);
  const known = numbers.filter((one) => one !== null);
  return known.length === numbers.length ? known : NO_NUMBERS;
}

const NUMBER = /^[-+]?\d+(\.\d*)?([eE][-+]?\d+)?$/;
const NAMED: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '+Inf': Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

/** `[time, "number"]`. A histogram has no such field. */
function numberOf(sample: unknown): number | null {
  const text: unknown = Array.isArray(sample) && sample.length === 2 ? sample[1] : null;
  if (typeof text !== 'string') return null;
  if (Object.hasOwn(NAMED, text)) return NAMED[text] ?? null;
  return NUMBER.test(text) ? Number(text) : null;
}

function fieldsOf(value: unknown): Unknown {
  return typeof value === 'object' && value !== null ? (value as Unknown) : {};
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
