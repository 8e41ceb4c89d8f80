# The Homebrew formula of dtp: it installs the executable of the release for this machine.
class Dtp < Formula
  desc "Command-line client of a developer tooling platform"
  homepage "@RELEASE@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@RELEASE@/dtp-@VERSION@-macos-arm64.tar.gz"
      sha256 "@DIGEST(macos-arm64)@"
    end
    on_intel do
      url "@RELEASE@/dtp-@VERSION@-macos-x64.tar.gz"
      sha256 "@DIGEST(macos-x64)@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASE@/dtp-@VERSION@-linux-arm64.tar.gz"
      sha256 "@DIGEST(linux-arm64)@"
    end
    on_intel do
      url "@RELEASE@/dtp-@VERSION@-linux-x64.tar.gz"
      sha256 "@DIGEST(linux-x64)@"
    end
  end

  def install
    bin.install "dtp"
    # A Mac only starts signed programs.
    system "codesign", "--force", "--sign", "-", bin/"dtp" if OS.mac?
    bash_completion.install "completions/dtp.bash" => "dtp"
    zsh_completion.install "completions/_dtp"
    fish_completion.install "completions/dtp.fish"
    man1.install Dir["man/man1/*"]
    man7.install Dir["man/man7/*"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/dtp --version").strip
  end
end
