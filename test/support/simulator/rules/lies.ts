// What must hold in a world in which a site lies: a lie moves nothing that is not the site's own, and no
// Secret is where it should not be.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { workNamesOf } from '../../../../crds/ocm/work-identity.ts';
import { siteWorkflowId } from '../../../../workflows/names.ts';
import type { Write } from '../api/objects.ts';
import type { Batch } from '../engine/batch.ts';
import { CANARY, HUB, NAMESPACE } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';

/** What was so may be acted on for so long, in milliseconds: a gateway remembers a work for five seconds. */
const NEWS_MS = 30_000;
/** Where a Secret belongs. */
const MAY_CARRY = new Set(['manifestworks', 'secrets']);
/** What a site may say of itself: no address that a browser would run. */
const BAD_LINK = /"(?:consoleLink|url)":"(?!https?:)/;

export class LieRules {
  readonly #world: World;
  readonly #site: string;
  /** By `<cluster>/<work>`, when it was there last. */
  readonly #seen = new Map<string, number>();

  constructor(world: World, site: string) {
    this.#world = world;
    this.#site = site;
    world.server.onWrite((write) => this.#wrote(write));
  }

  /** A signal of the site has been let through. */
  signalled(workflowId: string, name: string, value: unknown): void {
    const [kind, namespace = '', capp = ''] = workflowId.split('/');
    const isOwn = workflowId === siteWorkflowId(this.#site) && name === 'audit';
    const isRing = kind === 'capp' && name === 'ring' && this.#hadWork(this.#site, namespace, capp);
    if (!isOwn && !isRing)
      fail(this.#world, `gateway: ${this.#site} sends ${name} to ${workflowId}`, value ?? null);
  }

  counted(turn: readonly Batch[]): void {
    if (JSON.stringify(turn).includes(CANARY)) fail(this.#world, 'security: a Secret is in a history', turn);
  }

  #wrote(write: Write): void {
    const { plural, by, before, after } = write;
    if (plural === 'manifestworks') {
      const { namespace = '', name = '' } = (after ?? before)?.metadata ?? {};
      this.#seen.set(`${namespace}/${name}`, after === null ? this.#world.clock.now : Infinity);
    }
    if (by !== HUB || after === null) return;
    if (!MAY_CARRY.has(plural) && JSON.stringify(after).includes(CANARY))
      fail(this.#world, `security: a Secret is in ${plural}`, after);
    if (plural === 'capps') this.#says(before as unknown as Capp | null, after as unknown as Capp);
    if (plural === 'addonplacementscores' && after.metadata.namespace !== this.#site)
      fail(this.#world, 'security: a site writes the scores of another', after);
  }

  #says(before: Capp | null, after: Capp): void {
    const { name } = after.metadata;
    const [was, is] = [before?.status?.applicationLinks?.site, after.status?.applicationLinks?.site];
    const isGrounded = (site: string): boolean =>
      this.#hadWork(site, NAMESPACE, name) || this.#world.rules.mayBeOn(name, site);
    if (is !== undefined && is !== was && !isGrounded(is))
      fail(
        this.#world,
        `security: ${name} is said to be on ${is}, with neither a work nor a word of anybody`,
        after.status,
      );
    if (BAD_LINK.test(JSON.stringify(after.status ?? {})))
      fail(this.#world, `security: a link in the status of ${name} is not a web address`, after.status);
  }

  #hadWork(cluster: string, namespace: string, name: string): boolean {
    const latest = Math.max(
      ...workNamesOf({ namespace, name }).map((work) => this.#seen.get(`${cluster}/${work}`) ?? -Infinity),
    );
    return this.#world.clock.now - latest < NEWS_MS;
  }
}
