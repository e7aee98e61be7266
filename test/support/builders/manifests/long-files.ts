// Files of YAML as long as a ConfigMap holds them, of what takes longest to read.

const repeated = (bytes: number, one: (index: number) => string): string => {
  const parts: string[] = [];
  for (let [index, length] = [0, 0]; length < bytes; index += 1) {
    const part = one(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
};

/** By what they have many of, with so many bytes. */
export const LONG_FILES: Readonly<Record<string, (bytes: number) => string>> = {
  documents: (bytes) => repeated(bytes, () => '---\na: b\n'),
  keys: (bytes) => repeated(bytes, (index) => `k${index}: v\n`),
  'merge keys': (bytes) => `a: &a {x: 1}\n${repeated(bytes, (index) => `k${index}:\n  <<: *a\n`)}`,
  aliases: (bytes) => `a: &a [x, y]\n${repeated(bytes, (index) => `k${index}: *a\n`)}`,
  'lists left of their text': (bytes) => repeated(bytes, (index) => `k${index}:\n- a\n`),
  'items of one list': (bytes) => `items: [${repeated(bytes, () => 'a,')}]\n`,
};
