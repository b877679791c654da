export interface Figure {
  readonly group: string;
  readonly caption: string;
  readonly picture: string;
  readonly opens: string;
  readonly width: number;
}

export function contactSheet(title: string, figures: readonly Figure[]): string {
  const groups = Map.groupBy(figures, ({ group }) => group);
  const sections = [...groups].map(
    ([group, pictures]) => `<section><h2>${group}</h2><div>${pictures.map(figure).join('')}</div></section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  body { margin: 16px; background: #8d9399; color: #111; font: 13px/1.3 sans-serif; }
  main { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
  h1 { font-size: 18px; }
  h2 { margin: 0 0 4px; font-size: 14px; }
  section { background: #c3c8cd; padding: 8px; }
  section div { display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-start; }
  figure { margin: 0; }
  img { display: block; }
</style>
<h1>${title}</h1>
<main>${sections.join('\n')}</main>
</html>
`;
}

function figure({ caption, picture, opens, width }: Figure): string {
  return `<figure><a href="${opens}"><img src="${picture}" alt="${caption}" width="${width}"></a><figcaption>${caption}</figcaption></figure>`;
}
