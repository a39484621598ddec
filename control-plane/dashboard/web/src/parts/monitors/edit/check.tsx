interface CheckProps {
  label: string;
  isOn: boolean;
  toggle(): void;
}

/** A checkbox with its label. */
export function Check({ label, isOn, toggle }: CheckProps) {
  return (
    <label className="edit-check">
      <input type="checkbox" checked={isOn} onChange={toggle} />
      <bdi className="wrap">{label}</bdi>
    </label>
  );
}
