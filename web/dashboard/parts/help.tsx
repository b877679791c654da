declare const operatorName: string;
declare const operatorEmail: string;

/** Where staff get help. A sandbox may not say who runs it. */
export function Help() {
  return (
    <footer class="help">
      <p>
        Help: <a href="/docs/front-desk">Guide for the front desk</a>
      </p>
      {operatorEmail !== '' && (
        <p>
          {operatorName !== '' && `${operatorName}, `}
          <a href={`mailto:${operatorEmail}`}>{operatorEmail}</a>
        </p>
      )}
    </footer>
  );
}
