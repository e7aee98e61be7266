// What a site's API server cannot do as long as another server does not answer it: whatever brings that one
// may be in the same Bundle, so it is waited for. Pure.

const AGAIN = 'It is tried again: if it stays so, look at';

interface Unready {
  readonly said: RegExp;
  /** Takes a name that the words have, of characters that quote nothing. */
  readonly words: (name: string) => string;
}

/**
 * By words of API servers (apiserver: pkg/admission/plugin/webhook; apiextensions: conversion;
 * kube-aggregator).
 */
const UNREADY: readonly Unready[] = [
  {
    said: /failed calling webhook "([\w.-]{1,100})"/,
    words: (name) =>
      `The site's webhook ${name} does not answer yet. ${AGAIN} the Service and the Pods of that webhook on the site.`,
  },
  {
    said: /conversion webhook for ([\w./-]{1,150}), Kind=\w{1,63} failed: Post "/,
    words: (name) =>
      `The webhook that converts ${name} on the site does not answer yet. ${AGAIN} the Service and the Pods that its CustomResourceDefinition names.`,
  },
  {
    said: /(?:the server is currently unable to handle the request|error trying to reach service)/,
    words: () =>
      `What serves this kind on the site does not answer yet. ${AGAIN} its APIService there, and at the Pods behind that.`,
  },
  {
    said: /(?:Timeout: request did not complete within|the server was unable to return a response in the time allotted|etcdserver: (?:request timed out|leader changed))/,
    words: () => `The site's API server took too long. ${AGAIN} the API server and the webhooks of the site.`,
  },
];

/** One sentence on what is waited for; null if these words are of something else. */
export function unansweredBy(message: string): string | null {
  for (const { said, words } of UNREADY) {
    const found = said.exec(message);
    if (found !== null) return words(found[1] ?? '');
  }
  return null;
}
