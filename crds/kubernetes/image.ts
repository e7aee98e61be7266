// Names of images in the one spelling in which they can be compared, as a container runtime fills them in
// (github.com/distribution/reference, normalize.go). Pure.

export interface ImageName {
  /** `docker.io` where the name says none. */
  readonly registry: string;
  /** `<registry>/<repository>`, with `:<tag>` or `@<digest>`. A digest wins over a tag. */
  readonly full: string;
}

const DEFAULT = 'docker.io';
const OTHER_NAME = 'index.docker.io';

export function imageName(text: string): ImageName {
  const [named = '', digest] = text.split('@');
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const isRegistry = /[.:]/.test(first) || first === 'localhost';
  const registry = !isRegistry || first === OTHER_NAME ? DEFAULT : first;
  const rest = isRegistry ? named.slice(slash + 1) : named;
  const [, repository = rest, tag = 'latest'] = /^(.*):([^:/]+)$/.exec(rest) ?? [];
  const path = registry === DEFAULT && !repository.includes('/') ? `library/${repository}` : repository;
  return {
    registry,
    full: digest === undefined ? `${registry}/${path}:${tag}` : `${registry}/${path}@${digest}`,
  };
}
