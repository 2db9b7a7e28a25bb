//! Compiles the C function that keeps the binary usable with older versions of glibc.

fn main() {
    println!("cargo:rerun-if-changed=src/pdf/hypotf.c");
    // As a whole: linkers that read archives in order would find it before anything has asked for it.
    cc::Build::new()
        .file("src/pdf/hypotf.c")
        .link_lib_modifier("+whole-archive")
        .compile("kurso_hypotf");
}
