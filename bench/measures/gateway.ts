// What the gateway costs: the way of a verdict straight to Temporal and through the stack's gateway, in turn;
// and both again while another site floods the gateway. Agents and flooder are processes of their own.
//
// Usage: node bench/measures/gateway.ts [samples of each]
import type { Testbed } from '../load/testbed.ts';
import { startChild, type BenchChild } from '../load/gateway/child.ts';
import { admit, doorOf } from '../load/gateway/sites.ts';
import { verdicts } from '../load/gateway/verdicts.ts';
import { measure, type BenchOutcome } from '../measure.ts';
import { quantiles, tenth, type Quantiles } from '../../testbed/quantiles.ts';

/** A rest and a flood, so often: what else the machine does meanwhile falls on both. */
const ROUNDS = 3;
const WARM_UP = 30;

interface Samples {
  readonly straight: number[];
  readonly through: number[];
}

interface Stage {
  /** One sample of each way, one after the other, so often. */
  sample(count: number, into: Samples): Promise<void>;
  flood(): Promise<BenchChild>;
}

await measure('gateway', 600, async (testbed, count) => {
  const stage = await prepare(testbed);
  const [rest, flooded] = [none(), none()] as const;
  const floods: unknown[] = [];
  await stage.sample(WARM_UP, none());
  for (let round = 0; round < ROUNDS; round += 1) {
    await stage.sample(Math.ceil(count / ROUNDS), rest);
    const flooder = await stage.flood();
    await stage.sample(Math.ceil(count / ROUNDS), flooded);
    floods.push(await flooder.stop());
  }
  return outcome(rest, flooded, floods);
});

function none(): Samples {
  return { straight: [], through: [] };
}

async function prepare(testbed: Testbed): Promise<Stage> {
  const { stack, namespace, afterwards } = testbed;
  const { address, authority } = await doorOf(testbed);
  const [quiet, loud, straight] = [`${namespace}-quiet`, `${namespace}-loud`, `${namespace}-straight`];
  const [token, loudToken] = [await admit(testbed, quiet), await admit(testbed, loud)];
  const agents = [
    await startChild('agent.ts', [straight], { TEMPORAL_ADDRESS: stack.temporalAddress }),
    await startChild('agent.ts', [quiet], {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS_CA: authority,
      TEMPORAL_TOKEN_FILE: token,
    }),
  ];
  for (const agent of agents) afterwards(agent.stop);
  const ask = await verdicts(testbed);
  return {
    sample: async (count, into) => {
      for (let left = count; left > 0; left -= 1) {
        into.straight.push(await ask(straight));
        into.through.push(await ask(quiet));
      }
    },
    flood: async () => {
      const flooder = await startChild('flooder.ts', [address, authority, loudToken, loud], {});
      afterwards(flooder.stop);
      return flooder;
    },
  };
}

function outcome(rest: Samples, flooded: Samples, floods: readonly unknown[]): BenchOutcome {
  const [atRest, inFlood] = [compared(rest), compared(flooded)];
  const told = ({ straight, through }: Compared, key: 'p50' | 'p95'): string =>
    `${key} ${straight[key]} → ${through[key]} ms (${signed(through[key] - straight[key])} ms, ${ratio(through[key], straight[key])} times)`;
  return {
    ours:
      `straight → through the gateway: ${told(atRest, 'p50')}, ${told(atRest, 'p95')}; ` +
      `while another site floods: ${told(inFlood, 'p50')}, ${told(inFlood, 'p95')}`,
    figures: { atRest, inFlood, floods, restMs: rest, floodedMs: flooded },
  };
}

interface Compared {
  readonly straight: Quantiles;
  readonly through: Quantiles;
}

function compared({ straight, through }: Samples): Compared {
  return { straight: quantiles(straight), through: quantiles(through) };
}

function signed(milliseconds: number): string {
  return `${milliseconds < 0 ? '−' : '+'}${tenth(Math.abs(milliseconds))}`;
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100;
}
