// Goes through the words of a query, one by one.
import type { Confines } from './texts.ts';
import { QueryFault, shown, type QueryToken, type TokenKind } from './tokens.ts';

export interface QueryReader {
  /** The next one, which stays the next one. */
  readonly next: () => QueryToken;
  /** Takes the next one, whatever it is. */
  readonly skip: () => string;
  /** Takes the next one if it is such a one. */
  readonly take: (is: TokenKind, fits: (text: string) => boolean) => string | undefined;
  /** `lower`: in any case. */
  readonly takeWord: (lower: string) => boolean;
  readonly takeSign: (sign: string) => boolean;
  /** Throws QueryFault if the next one is another one. */
  readonly expect: (sign: string) => void;
}

/** How far one has come with a query. */
export interface QueryReading extends QueryReader {
  readonly within: Confines;
  selectors: number;
  depth: number;
}

const END: QueryToken = { is: 'end', text: '' };

export function reader(tokens: readonly QueryToken[]): QueryReader {
  let at = 0;
  const next = (): QueryToken => tokens[at] ?? END;
  const skip = (): string => {
    const { text } = next();
    at += 1;
    return text;
  };
  const take: QueryReader['take'] = (is, fits) => {
    const one = next();
    return one.is === is && fits(one.text) ? skip() : undefined;
  };
  const takeSign = (sign: string): boolean => take('sign', (text) => text === sign) !== undefined;
  return {
    next,
    skip,
    take,
    takeSign,
    takeWord: (lower) => take('word', (text) => text.toLowerCase() === lower) !== undefined,
    expect: (sign) => {
      const { text } = next();
      if (!takeSign(sign))
        throw new QueryFault(`"${sign}" is missing ${text === '' ? 'at its end' : `before ${shown(text)}`}`);
    },
  };
}
