<?php
/**
 * Directives in a .htaccess file.
 *
 * @package PicketBridge
 */

/**
 * A block of a .htaccess file: at the beginning, before what WordPress writes there, or at the end, where it wins over other
 * lines of the file. Everything else in the file stays as it is.
 */
final class Picket_Bridge_Htaccess_Block implements Picket_Bridge_Change {

	const CREATED = '# Picket created this file.';
	const BROKEN  = '# Picket added the line break before this block.';

	/**
	 * The check that it is for.
	 *
	 * @var string
	 */
	private $check;

	/**
	 * Of the file.
	 *
	 * @var string
	 */
	private $path;

	/**
	 * Returns the directives.
	 *
	 * @var callable
	 */
	private $lines;

	/**
	 * Whether the block is at the end of the file.
	 *
	 * @var bool
	 */
	private $is_last;

	/**
	 * Describes the block.
	 *
	 * @param string   $check   The check that it is for.
	 * @param string   $folder  Where the file is.
	 * @param callable $lines   Returns the directives; gets those that are in the file now.
	 * @param bool     $is_last Whether the block is at the end of the file.
	 */
	public function __construct( string $check, string $folder, callable $lines, bool $is_last = false ) {
		$this->check   = $check;
		$this->path    = untrailingslashit( $folder ) . '/.htaccess';
		$this->lines   = $lines;
		$this->is_last = $is_last;
	}

	/**
	 * Returns the directives, each with a line break.
	 */
	private function directives(): string {
		preg_match( $this->pattern(), (string) Picket_Bridge_File::read( $this->path ), $present );
		return implode( "\n", call_user_func( $this->lines, $present[0] ?? '' ) ) . "\n";
	}

	/**
	 * Returns the pattern of the block. WordPress may have rewritten the file with other line breaks.
	 */
	private function pattern(): string {
		return '/^# BEGIN Picket ' . preg_quote( $this->check, '/' ) . '\r?\n.*?^# END Picket ' . preg_quote( $this->check, '/' ) . '(?:\r?\n|\z)/ms';
	}

	/**
	 * Returns whether the block is in the file.
	 */
	public function is_applied(): bool {
		return 1 === preg_match( $this->pattern(), (string) Picket_Bridge_File::read( $this->path ) );
	}

	/**
	 * Returns why the file cannot be changed, or the directives cannot be used. They are tried in a folder of their own.
	 */
	public function obstacle(): string {
		if ( "\xEF\xBB\xBF" === substr( (string) Picket_Bridge_File::read( $this->path ), 0, 3 ) ) {
			return Picket_Bridge_File::shown( $this->path ) . ' begins with a byte order mark.';
		}
		$problem = is_dir( dirname( $this->path ) ) ? Picket_Bridge_File::obstacle( $this->path ) : 'There is no folder for uploads.';
		return '' === $problem ? Picket_Bridge_Canary::problem_with( $this->directives() ) : $problem;
	}

	/**
	 * Returns a file without the block, and without the line break that was added for it, unless other lines follow: they
	 * would be joined.
	 *
	 * @param string $content The file.
	 */
	private function without( string $content ): string {
		if ( 1 !== preg_match( $this->pattern(), $content, $found, PREG_OFFSET_CAPTURE ) ) {
			return $content;
		}
		list( $block, $at ) = $found[0];
		$is_end             = $at + strlen( $block ) === strlen( $content );
		$is_added           = $is_end && false !== strpos( $block, self::BROKEN ) && $at > 0 && "\n" === $content[ $at - 1 ];
		return substr_replace( $content, '', $at - (int) $is_added, strlen( $block ) + (int) $is_added );
	}

	/**
	 * Writes the block.
	 */
	public function write(): string {
		$before   = Picket_Bridge_File::read( $this->path );
		$others   = $this->without( (string) $before );
		$is_own   = null === $before || false !== strpos( $before, "# BEGIN Picket $this->check\n" . self::CREATED );
		$is_split = $this->is_last && '' !== $others && "\n" !== substr( $others, -1 );
		$block    = "# BEGIN Picket $this->check\n"
			. ( $is_own ? self::CREATED . "\n" : '' )
			. ( $is_split ? self::BROKEN . "\n" : '' )
			. $this->directives()
			. "# END Picket $this->check\n";
		return Picket_Bridge_File::replace( $this->path, $before, $this->is_last ? $others . ( $is_split ? "\n" : '' ) . $block : $block . $others );
	}

	/**
	 * Removes the block, and the file if it was created for it and contains nothing else.
	 */
	public function undo(): string {
		Picket_Bridge_File::sweep( $this->path );
		$excess = Picket_Bridge_File::excess( $this->path );
		if ( '' !== $excess ) {
			return $excess;
		}
		$before = Picket_Bridge_File::read( $this->path );
		if ( null === $before || 1 !== preg_match( $this->pattern(), $before, $found ) ) {
			return '';
		}
		$others = $this->without( $before );
		$is_own = false !== strpos( $found[0], self::CREATED );
		if ( $is_own && '' === trim( $others ) ) {
			return Picket_Bridge_File::delete( $this->path );
		}
		if ( $is_own ) {
			// The block of another check, or somebody else, uses the file that this one has created.
			$others = preg_replace( '/^(# BEGIN Picket [a-z-]+\r?\n)/m', '$1' . self::CREATED . "\n", $others, 1 );
		}
		return Picket_Bridge_File::replace( $this->path, $before, (string) $others );
	}
}
