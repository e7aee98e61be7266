// A view of the dashboard as a picture that is text: its elements and its style sheet in an SVG. It is light
// or dark as whoever looks at it has it.
import type { Page } from 'playwright-core';

export interface DrawnPage {
  /** What `body` has, as XML. */
  readonly body: string;
  readonly css: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * In the page. Scripts go, since a picture runs none; images come into it, since a picture fetches nothing.
 */
const DRAWN = `(async () => {
  const body = document.body.cloneNode(true);
  for (const one of body.querySelectorAll('script, noscript')) one.remove();
  // A picture has nothing above all else, where a browser puts an open sheet: it stays where it was seen.
  const sheet = document.querySelector('dialog[open]');
  if (sheet !== null) {
    const { top, left, width } = sheet.getBoundingClientRect();
    body.querySelector('dialog[open]').style.cssText =
      'position: fixed; margin: 0; z-index: 10; top: ' + top + 'px; left: ' + left + 'px; width: ' + width + 'px; box-sizing: border-box';
  }
  for (const one of body.querySelectorAll('img'))
    one.src = 'data:image/svg+xml,' + encodeURIComponent(await (await fetch(one.src)).text());
  const css = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('\\n');
  return { body: new XMLSerializer().serializeToString(body), css, width: innerWidth, height: Math.ceil(document.body.scrollHeight) };
})()`;

/** The page as it is now, at most `mostHeight` CSS pixels of it. */
export async function drawnOf(page: Page, mostHeight: number): Promise<DrawnPage> {
  const drawn = await page.evaluate<DrawnPage>(DRAWN);
  return { ...drawn, height: Math.min(drawn.height, mostHeight) };
}

/** `title` is what a person hears who does not see the picture. */
export function svgOf({ body, css, width, height }: DrawnPage, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${escaped(css)}</style>`,
    `<foreignObject width="${width}" height="${height}">`,
    body,
    '</foreignObject>',
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
