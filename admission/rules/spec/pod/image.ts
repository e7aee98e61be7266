// Whether Knative can read the name of an image (github.com/google/go-containerregistry, pkg/name). Pure.

const REPOSITORY = /^[a-z0-9_\-./]{1,255}$/;
/** Empty, it is the default. */
const TAG = /^[A-Za-z0-9_\-.]{0,128}$/;
const DIGEST = /^(sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
/** What no registry can have in its address. */
const ODD = /[\s?#@\\^`{|}]/;

export function isImage(text: string): boolean {
  return isTagged(text) || isDigested(text);
}

function isTagged(text: string): boolean {
  const tag = text.includes(':') ? text.slice(text.lastIndexOf(':') + 1) : null;
  // With a slash it is the port of a registry.
  if (tag === null || tag.includes('/')) return isRepository(text);
  return TAG.test(tag) && isRepository(text.slice(0, text.lastIndexOf(':')));
}

function isDigested(text: string): boolean {
  const [base = '', digest = '', ...more] = text.split('@');
  return more.length === 0 && DIGEST.test(digest) && (isTagged(base) || isRepository(base));
}

function isRepository(text: string): boolean {
  const [first = ''] = text.split('/', 1);
  const isRegistry = text.includes('/') && (first === 'localhost' || /[.:]/.test(first));
  return isRegistry
    ? isAddress(first) && REPOSITORY.test(text.slice(first.length + 1))
    : REPOSITORY.test(text);
}

function isAddress(text: string): boolean {
  if (ODD.test(text)) return false;
  if (text.startsWith('[')) return text.includes(']');
  return !text.includes(':') || /^\d*$/.test(text.slice(text.lastIndexOf(':') + 1));
}
