// Values as Temporal's JSON histories carry them.

export type Json = Readonly<Record<string, unknown>>;

function payload(value: unknown): Json {
  return { metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify(value)) };
}

export function payloads(value: unknown): Json {
  return { payloads: [payload(value)] };
}

/** One payload for each value; what is undefined is null. */
export function allOf(values: readonly unknown[]): Json {
  return { payloads: values.map((value) => payload(value ?? null)) };
}

/** The value of a search attribute. */
export function keyword(value: string): Json {
  return {
    metadata: { encoding: base64('json/plain'), type: base64('Keyword') },
    data: base64(JSON.stringify(value)),
  };
}

export function keywords(values: readonly string[]): Json {
  return {
    metadata: { encoding: base64('json/plain'), type: base64('KeywordList') },
    data: base64(JSON.stringify(values)),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
