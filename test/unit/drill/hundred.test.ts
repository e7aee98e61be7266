// A drill of many Capps by its real workflow and its real judgement. In-memory parts stand for Temporal, the
// hub and the agents, and count what they are asked: it must grow with the Capps, and never with their
// square.
import { liveInDrill, type DrillRuntime } from '../../../workflows/drill/workflow.ts';
import type { DrillCapp, DrillReport } from '../../../workflows/drill/port.ts';
import type { InspectQuestion } from '../../../workflows/types/inspection.ts';
import { aDrillCapp, anInspection, GIB, someNeeds } from '../../support/builders/drill/drills.ts';
import { eventually } from '../../../testbed/eventually.ts';

/** Capps in one answer of the hub (`Drills.drillPage`). */
const PAGE = 25;
const SITES = ['site-2', 'site-3', 'site-4', 'site-5'];
const NODE = { cpu: 4_000, memory: 8 * GIB, pods: 100 };

/** Each of a namespace of its own; every tenth finds no site. */
function manyCapps(count: number): DrillCapp[] {
  return Array.from({ length: count }, (_, index) => {
    const namespace = `team-${String(index).padStart(4, '0')}`;
    const to = SITES[index % SITES.length] ?? null;
    const images = [`ghcr.io/shop/app-${index % 7}:v1`];
    const plain = { namespace, to, needs: someNeeds({ cpu: 10, memory: GIB / 64, images }) };
    return aDrillCapp('app', index % 10 === 9 ? { ...plain, to: null, needs: null } : plain);
  });
}

interface Drilled {
  readonly report: DrillReport;
  readonly pages: number;
  readonly questions: readonly InspectQuestion[];
}

async function drilled(count: number): Promise<Drilled> {
  const capps = manyCapps(count);
  const questions: InspectQuestion[] = [];
  const reports: DrillReport[] = [];
  let pages = 0;
  const runtime: DrillRuntime = {
    id: () => 'drill/site-1',
    now: () => Date.parse('2026-03-01T12:00:00Z'),
    handle: () => undefined,
    until: (holds) => eventually(() => Promise.resolve(holds() ? true : undefined)).then(() => undefined),
    isHandled: () => true,
    show: () => undefined,
    countUnreadable: () => undefined,
    beside: (work) => ({ result: work(), cancel: () => undefined }),
    drills: () => ({
      readDrill: async () => ({ drill: { uid: 'uid-1', generation: 1 } }),
      drillPage: async (_cluster, after) => {
        pages += 1;
        const from = after === null ? 0 : capps.findIndex((one) => one.namespace === after.namespace) + 1;
        const page = capps.slice(from, from + PAGE);
        return { capps: page, isLast: from + PAGE >= count, all: count };
      },
      reportDrill: async (_cluster, report) => void reports.push(report),
    }),
    agentInspect: () => ({
      inspect: async (question) => {
        questions.push(question);
        return anInspection({
          nodes: question.wantsNodes ? [NODE] : [],
          images: question.images.map(() => 'OnNode' as const),
        });
      },
    }),
  };
  await liveInDrill(runtime);
  const [report] = reports;
  if (report === undefined || reports.length !== 1) throw new Error(`${reports.length} reports were written`);
  return { report, pages, questions };
}

test('a hundred Capps are looked at in pages, each site is asked once, and one report is written', async () => {
  const { report, pages, questions } = await drilled(100);
  expect(pages).toBe(4);
  expect(questions).toHaveLength(SITES.length);
  expect(report.rehearsal).toMatchObject({ capps: 100, leftOut: 0, ready: 90, failed: 10, unknown: 0 });
  expect(report.rehearsal.sites.map(({ capps }) => capps)).toEqual([25, 25, 20, 20]);
  // No Capp is asked about twice.
  const asked = questions.flatMap(({ namespaces }) => namespaces);
  expect(new Set(asked).size).toBe(90);
  expect(asked).toHaveLength(90);
});

test('with ten times as many Capps ten times as much is asked at most', async () => {
  const [few, many] = [await drilled(100), await drilled(1_000)];
  expect(many.pages).toBeLessThanOrEqual(10 * few.pages);
  expect(many.questions.length).toBeLessThanOrEqual(10 * few.questions.length);
  const namesIn = ({ questions }: Drilled): number =>
    questions.reduce((sum, { namespaces, images }) => sum + namespaces.length + images.length, 0);
  expect(namesIn(many)).toBeLessThanOrEqual(10 * namesIn(few));
  // The nodes of a site, and what its pods ask for, are the most that an answer has.
  expect(many.questions.filter(({ wantsNodes }) => wantsNodes)).toHaveLength(SITES.length);
});

test('of Capps that a site could take one by one, those that it could not take together fail', async () => {
  const { report } = await drilled(1_000);
  // Four nodes take a hundred pods each.
  expect(report.rehearsal).toMatchObject({ capps: 1_000, ready: 400, failed: 600, unknown: 0 });
});
