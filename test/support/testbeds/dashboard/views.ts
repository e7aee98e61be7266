// The views of the dashboard on the hub of hub.ts.
/** The address within the page, and something that it shows. */
export const VIEWS = [
  ['/fleet', 'site-003'],
  ['/fleet?site=site-003', 'Show its Capps'],
  ['/apps', 'checkout'],
  ['/apps/apps/checkout', 'From here to the Pods'],
  ['/apps/apps/hostile', 'What it waits for'],
  ['/apps/apps/nothing', 'There is no apps/nothing'],
  ['/rollouts', 'shop'],
  ['/rollouts/CappSet/apps/shop', 'Waits for approval'],
  ['/drains', 'new disks'],
  ['/time', 'by placement all'],
] as const;
