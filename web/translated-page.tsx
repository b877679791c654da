import { Fragment, options, type ComponentChildren } from 'preact';

/**
 * Browsers' translators replace text nodes with elements. Preact would then change a text node that has left the page.
 * So each text is the content of an element: whatever changes the text replaces the translation.
 */
export function surviveTranslation(): void {
  options.vnode = ({ type, props }) => {
    const { children } = props;
    // The title of a drawing is a tooltip, which translators leave alone.
    const isElement = typeof type === 'string' && type !== 'title';
    if (isElement && isText(children)) Object.assign(props, { textContent: children, children: undefined });
    else if (isElement || type === Fragment) props.children = wrapped(children);
  };
}

function wrapped(children: ComponentChildren): ComponentChildren {
  if (Array.isArray(children)) return children.map(wrapped);
  return isText(children) ? <span>{children}</span> : children;
}

/** Translators leave white space alone, and in a flex box, an element for it would take a gap. */
function isText(children: ComponentChildren): boolean {
  return (typeof children === 'string' && children.trim() !== '') || typeof children === 'number';
}
