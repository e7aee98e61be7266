// How Kubernetes spells names, as its own validation has it (k8s.io/apimachinery, pkg/util/validation).

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const WORD = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const KEY = /^[-._a-zA-Z0-9]+$/;
const PRINTABLE = /^[ -<>-~]+$/;
const LONGEST_WORD = 63;
const LONGEST_NAME = 253;

export const WORD_SAYS = 'at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

export function isDnsLabel(text: string): boolean {
  return text.length <= LONGEST_WORD && LABEL.test(text);
}

export function isDnsName(text: string): boolean {
  return text.length <= LONGEST_NAME && SUBDOMAIN.test(text);
}

/** The key of a label, an annotation or a taint. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  const name = parts.pop() ?? '';
  return parts.length <= 1 && isWord(name) && parts.every(isDnsName);
}

export function isLabelValue(text: string): boolean {
  return text === '' || isWord(text);
}

/** The key of a ConfigMap or a Secret. */
export function isMapKey(text: string): boolean {
  return text.length <= LONGEST_NAME && KEY.test(text) && text !== '.' && !text.startsWith('..');
}

/** Kubernetes takes more since 1.30: whatever can be printed but "=". */
export function isVariable(text: string): boolean {
  return PRINTABLE.test(text);
}

function isWord(text: string): boolean {
  return text.length <= LONGEST_WORD && WORD.test(text);
}
