// What simulated agents answer: every Capp is Ready, and nothing is left on any node.
import { CPU_AVAILABLE, MEMORY_AVAILABLE } from '../../crds/ocm/add-on.ts';
import type { Answer } from '../../workflows/ports/agent.ts';
import type { MeasuredSite } from '../../workflows/score/measured.ts';

export const READY: Answer = {
  finding: {
    verdict: 'Ready',
    healthy: true,
    reason: 'Ready',
    message: 'A revision serves.',
    statusHash: 'simulated',
  },
  mirror: { knativeObjectStatus: { conditions: [{ type: 'Ready', status: 'True' }] } },
};

export const MEASURED: MeasuredSite = {
  figures: [CPU_AVAILABLE, MEMORY_AVAILABLE].map((name) => ({ name, value: 0 })),
};
