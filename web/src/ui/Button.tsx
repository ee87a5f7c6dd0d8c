/** Buttons, in the four weights that the product uses. */
import clsx from "clsx";
import type { ButtonHTMLAttributes, Ref } from "react";
import { Icon, type IconName } from "./Icon.tsx";

type Weight = "primary" | "plain" | "quiet" | "danger";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  weight?: Weight;
  icon?: IconName;
  /** Smaller, for use inside cards and forms. */
  small?: boolean | undefined;
  ref?: Ref<HTMLButtonElement>;
}

const WEIGHTS: Record<Weight, string> = {
  primary: "bg-accent-fill text-on-accent hover:bg-accent-fill-hover disabled:bg-line-strong disabled:text-surface",
  plain: "border border-line-strong bg-surface text-ink hover:bg-hover disabled:text-faint disabled:hover:bg-surface",
  quiet: "text-muted hover:bg-hover hover:text-ink disabled:text-line-strong disabled:hover:bg-transparent",
  danger: "border border-line-strong bg-surface text-bad hover:bg-bad-soft",
};

export function Button({ weight = "plain", icon, small, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={clsx(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors",
        small ? "h-7 px-2.5 text-xs" : "h-8 px-3 text-sm",
        WEIGHTS[weight],
        className,
      )}
    >
      {icon && <Icon name={icon} size={small ? 14 : 16} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> {
  icon: IconName;
  /** What it does: its accessible name and its tooltip. */
  label: string;
  keys?: string;
  pressed?: boolean;
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, label, keys, pressed, small, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      title={keys ? `${label} (${keys})` : label}
      className={clsx(
        "inline-flex shrink-0 items-center justify-center rounded-md transition-colors",
        "text-muted hover:bg-hover hover:text-ink disabled:text-line-strong disabled:hover:bg-transparent",
        small ? "size-6" : "size-8",
        pressed && "bg-hover text-ink",
        className,
      )}
    >
      <Icon name={icon} size={small ? 14 : 16} />
    </button>
  );
}
