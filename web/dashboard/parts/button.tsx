import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

type Kind = 'primary' | 'secondary' | 'danger' | 'plain';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'style'> {
  readonly kind?: Kind;
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

export function Button({ kind = 'secondary', busy = false, type = 'button', children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind}`}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly kind?: Kind;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

export function ButtonLink({ kind = 'secondary', children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} class={`button ${kind}`}>
      {children}
    </a>
  );
}

export function PrintButton() {
  return <Button onClick={() => print()}>Print</Button>;
}

/** The link is gone once it is followed, so the heading takes the focus. */
export function ClearFilters() {
  return (
    <a
      class="clear"
      href={location.pathname}
      onClick={() => document.querySelector('h1')?.focus({ preventScroll: true })}
    >
      Clear filters
    </a>
  );
}
