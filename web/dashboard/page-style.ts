declare const hostedPageStyle: string;

/** The payment page's own style, adapted to a shadow root at a phone's width. */
export function pageStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(hostedPageStyle.replaceAll(':root', ':host'));
  for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
    const rule = sheet.cssRules[index];
    // The frame is narrow, however wide the window is.
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('width')) sheet.deleteRule(index);
  }
  return sheet;
}
