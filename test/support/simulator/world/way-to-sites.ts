// The way between the hub and the agents of its sites: questions go there, rings and inventories come back.
import type { Answer, NothingThere, ReportQuestion } from '../../../../workflows/ports/agent.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { rungFor } from '../../../../workflows/types/ring.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import type { Cancel } from '../engine/clockwork.ts';
import type { Command, Done } from '../engine/exchange.ts';
import type { Run } from '../engine/run.ts';
import { silence } from '../site/silence.ts';
import type { Site } from '../site/site.ts';
import type { World } from './world.ts';

export function askAgent(
  world: World,
  run: Pick<Run, 'id'>,
  { name: kind, cluster, given }: Extract<Command, { do: 'agent' }>,
  done: Done,
): Cancel {
  const [ref, question] = given as [CappRef, ReportQuestion];
  const heard = (answer: Answer | NothingThere | null, silent: boolean): void =>
    done(silent ? { error: silence(kind) } : { value: answer });
  if (world.lies?.tells(cluster) === true) return world.lies.ask({ kind, given }, done);
  const site = world.site(cluster);
  const isCheck = kind === 'verify' || kind === 'verifyMetrics';
  if (site !== undefined && isCheck)
    return check(world, site, { key: `${ref.namespace}/${ref.name}`, stamp: question.stamp }, done);
  if (site === undefined || kind === 'measure' || kind === 'inspect' || isCheck)
    return world.clock.after(60_000, () => heard(null, true));
  world.tell(`    ${run.id} asks ${cluster}: ${kind}`);
  return site.agent.ask({ kind, key: `${ref.namespace}/${ref.name}`, question }, heard);
}

/** Most apps do what is asked of them, and all do in the end. Nobody answers on a site that is away. */
function check(
  world: World,
  site: Site,
  { key, stamp }: { readonly key: string; readonly stamp: string },
  done: Done,
): Cancel {
  return world.clock.after(world.between(500, 30_000), () => {
    if (!site.isAnswering()) return done({ error: silence('verify') });
    const standing = site.standing.get(key);
    if (standing?.stamp !== stamp) return done({ value: null });
    const isGood = standing.finding?.verdict === 'Ready' && (world.calm || world.random.chance(0.8));
    const counts = { successful: isGood ? 3 : 0, failed: isGood ? 0 : 1, inconclusive: 0, errors: 0 };
    world.tell(`${site.name} has checked ${key}: ${isGood ? 'passed' : 'failed'}`);
    return done({ value: { figures: [{ name: 'answers', ...counts, last: [] }] } });
  });
}

/** An agent says what it has: rings for what looks different from what the hub has published. */
export function sendInventory(world: World, cluster: string, entries: ReturnType<Site['entries']>): void {
  world.clock.after(world.between(10, 2_000), () => {
    void world.hub.compare(cluster, { entries, after: null, upTo: null }).then(({ differing }) => {
      for (const { namespace, name } of differing)
        world.temporal.send(cappWorkflowId(namespace, name), 'ring', [rungFor('site')]);
    });
  });
}

/** `key` is `<namespace>/<name>` of the Capp. Now and then the ring comes twice. */
export function ringFromSite(world: World, key: string): void {
  const [namespace = '', name = ''] = key.split('/');
  const ring = (): void =>
    void world.temporal.send(cappWorkflowId(namespace, name), 'ring', [rungFor('site')]);
  world.clock.after(world.between(5, 500), ring);
  if (world.slips(0.05)) world.clock.after(world.between(5, 10_000), ring);
}
