/** The product's mark: water led to a wheel. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" aria-hidden="true" className="text-accent">
      <path d="M2 6.5c3.2 0 3.2 2 6.4 2s3.2-2 6.4-2" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M2 11.5c2.2 0 2.8 1 4.4 1.6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="15" cy="15" r="6" stroke="currentColor" strokeWidth="2" />
      <path d="M15 9v12M9 15h12M10.8 10.8l8.4 8.4M19.2 10.8l-8.4 8.4" stroke="currentColor" strokeWidth="1.1" />
    </svg>
  );
}
