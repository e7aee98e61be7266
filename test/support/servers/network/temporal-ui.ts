// Temporal's web interface, asked as a page in a browser asks it.

/**
 * The codes that it answers with to whoever would start, end, signal and cancel a workflow. `ui` is its
 * address.
 */
export async function codesOfActs(ui: string, workflowId: string): Promise<readonly number[]> {
  const namespace = `${ui}/api/v1/namespaces/default`;
  const page = await fetch(`${namespace}/workflows`);
  if (page.status !== 200) throw new Error(`It answers ${page.status} to who looks at workflows.`);
  // Without the token of the page every change is refused, whatever it is.
  const [cookie = ''] = page.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  const headers = { cookie, 'x-csrf-token': cookie.split('=')[1] ?? '', 'content-type': 'application/json' };
  const workflow = `${namespace}/workflows/${encodeURIComponent(workflowId)}`;
  return Promise.all(
    ['', '/terminate', '/signal/ring', '/cancel'].map(
      async (act) => (await fetch(`${workflow}${act}`, { method: 'POST', headers, body: '{}' })).status,
    ),
  );
}
