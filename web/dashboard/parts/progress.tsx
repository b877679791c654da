interface ProgressProps {
  readonly label: string;
  /** Absent while the total is unknown. */
  readonly value?: number;
  readonly maximum?: number;
}

export function Progress({ label, value, maximum = 1 }: ProgressProps) {
  return (
    <label class="progress">
      <span aria-live="polite">{label}</span>
      <progress value={value} max={maximum} />
    </label>
  );
}
