/// Elementary functions whose results are the same, bit for bit, on every processor and at every
/// optimisation level.
///
/// The C library's own may differ in the last bit between processors with and without fused
/// multiply-add. These use addition, subtraction, multiplication, division and rounding only, which
/// IEEE 754 defines exactly. The polynomials are those of fdlibm (Sun Microsystems, 1993).
public enum DeterministicMath {}
