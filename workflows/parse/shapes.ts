// Says what a value from outside must look like, part by part. Nothing here throws, whatever it is given.
import { fieldsOf, isName } from './fields.ts';

/** Whether a value looks as it must. */
export type MessageShape = (given: unknown) => boolean;

export const flag: MessageShape = (given) => typeof given === 'boolean';
export const number: MessageShape = (given) => typeof given === 'number' && !Number.isNaN(given);
export const name: MessageShape = isName;

export function text(most: number): MessageShape {
  return (given) => typeof given === 'string' && given.length <= most;
}

export function oneOf(values: readonly unknown[]): MessageShape {
  return (given) => values.includes(given);
}

export function orNull(shape: MessageShape): MessageShape {
  return (given) => given === null || shape(given);
}

export function listOf(shape: MessageShape, most: number): MessageShape {
  return (given) => Array.isArray(given) && given.length <= most && given.every(shape);
}

/** Any number of fields with names that are like each other. */
export function recordOf(key: MessageShape, value: MessageShape, most: number): MessageShape {
  return (given) => {
    const entries = Object.entries(fieldsOf(given) ?? { '': undefined });
    return entries.length <= most && entries.every(([name, one]) => key(name) && value(one));
  };
}

/** All of `needed`, and those of `others` that are there. Further fields, of another version, say nothing. */
export function fields(
  needed: Readonly<Record<string, MessageShape>>,
  others: Readonly<Record<string, MessageShape>> = {},
): MessageShape {
  return (given) => {
    const found = fieldsOf(given);
    if (found === null) return false;
    return (
      Object.entries(needed).every(([name, shape]) => shape(found[name])) &&
      Object.entries(others).every(([name, shape]) => found[name] === undefined || shape(found[name]))
    );
  };
}
