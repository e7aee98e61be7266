// How examples are made: templates of Capps by what Knative says of their content: each is what one person
// could write. test/e2e/site/data-plane asks Knative's own webhook about all of them.

export interface Example {
  /** What is special about it. */
  readonly title: string;
  readonly template: { readonly metadata?: object; readonly spec: Readonly<Record<string, unknown>> };
  /** Of the spec of the Capp, beside the template. */
  readonly more?: object;
  /** Of the Capp itself. */
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Refused extends Example {
  /** Below the template, as the refusal names it. */
  readonly field: string;
  /** Of the refusal. */
  readonly words: string;
}

export const app = { name: 'app', image: 'ghcr.io/example/app:v1' };
export const side = { name: 'side', image: 'ghcr.io/example/side:v1' };
export const init = { name: 'init', image: 'ghcr.io/example/init:v1' };
export const serving = { ...app, ports: [{ containerPort: 8080 }] };

export const pod = (spec: object) => ({ spec: { containers: [app], ...spec } });
export const one = (more: object) => pod({ containers: [{ ...app, ...more }] });
export const two = (more: object) => pod({ containers: [serving, { ...side, ...more }] });
export const before = (more: object) => pod({ initContainers: [{ ...init, ...more }] });
export const marked = (annotations: object) => ({ metadata: { annotations }, ...pod({}) });
export const port = (more: object) => one({ ports: [{ containerPort: 8080, ...more }] });
export const mount = (more: object) => ({ volumeMounts: [{ name: 'v', mountPath: '/data', ...more }] });
export const volume = (source: object, more: object = {}) => ({
  ...one(mount(more)),
  spec: { containers: [{ ...app, ...mount(more) }], volumes: [{ name: 'v', ...source }] },
});
export const mountedAt = (mountPath: string) => volume({ emptyDir: {} }, { mountPath });
export const projected = (source: object) => volume({ projected: { sources: [source] } });
export const config = { configMap: { name: 'settings' } };
export const ready = (readinessProbe: object) => one({ readinessProbe });

export type Row = readonly [title: string, template: Example['template'], field: string, words: string];

export const C = 'spec.containers[0]';
export const I = 'spec.initContainers[0]';
export const V = 'spec.volumes[0]';
