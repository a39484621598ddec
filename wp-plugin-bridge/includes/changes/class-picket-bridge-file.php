<?php
/**
 * Writing of files.
 *
 * @package PicketBridge
 */

// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.

/**
 * Reads and replaces files of the site. A file is replaced by a rename, so that no request sees half of it, and only if it
 * still has the content that was read.
 */
final class Picket_Bridge_File {

	const BYTES_MAX  = 1048576;
	const UNFINISHED = '.picket-new';

	/**
	 * Returns the content of a file; null if there is none.
	 *
	 * @param string $path The path.
	 */
	public static function read( string $path ): ?string {
		clearstatcache( true, $path );
		$content = is_file( $path ) ? @file_get_contents( $path, false, null, 0, self::BYTES_MAX ) : false;
		return false === $content ? null : $content;
	}

	/**
	 * Returns why a file cannot be replaced or created, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function obstacle( string $path ): string {
		$name = self::shown( $path );
		clearstatcache( true, $path );
		if ( is_link( $path ) ) {
			return "$name is a link.";
		}
		if ( ! is_writable( dirname( $path ) ) ) {
			return 'The folder of ' . $name . ' cannot be written.';
		}
		if ( ! file_exists( $path ) ) {
			return '';
		}
		if ( ! is_readable( $path ) || ! is_writable( $path ) ) {
			return "$name cannot be written.";
		}
		if ( function_exists( 'posix_geteuid' ) && posix_geteuid() !== fileowner( $path ) ) {
			return "$name belongs to another user of the server.";
		}
		return self::excess( $path );
	}

	/**
	 * Returns that a file is too large to be read whole, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function excess( string $path ): string {
		clearstatcache( true, $path );
		return is_file( $path ) && filesize( $path ) > self::BYTES_MAX ? self::shown( $path ) . ' is too large.' : '';
	}

	/**
	 * Replaces a file, with the mode that it has. Returns what failed, or an empty text.
	 *
	 * @param string      $path   The path.
	 * @param string|null $before What was read; null for a file that did not exist.
	 * @param string      $after  The new content.
	 */
	public static function replace( string $path, ?string $before, string $after ): string {
		$name = self::shown( $path );
		// One that becomes too large could not be changed back.
		if ( '' !== self::excess( $path ) || strlen( $after ) > self::BYTES_MAX ) {
			return "$name is too large.";
		}
		$is_secret  = self::is_secret( $path );
		$unfinished = $is_secret ? substr( $path, 0, -4 ) . '-picket-' . bin2hex( random_bytes( 8 ) ) . '.php' : $path . self::UNFINISHED;
		$mode       = null === $before ? 0644 : fileperms( $path ) & 0777;
		$is_written = $is_secret
			? self::write_secret( $unfinished, $after )
			: strlen( $after ) === @file_put_contents( $unfinished, $after );
		if ( null !== $before && $is_written ) {
			// Whoever reads or writes the file by its group must be able to go on. A host may forbid that the group is kept.
			$needs_group = $is_secret || 0 === ( $mode & 0004 ) || 0 !== ( $mode & 0020 );
			$is_written  = self::give_group_of( $path, $unfinished ) || ! $needs_group;
		}
		$is_written = $is_written && @chmod( $unfinished, $mode );
		if ( $is_written && self::read( $path ) !== $before ) {
			@unlink( $unfinished );
			return "$name was changed by somebody else at the same time.";
		}
		if ( $is_written && @rename( $unfinished, $path ) ) {
			self::forget_compiled( $path );
			return '';
		}
		@unlink( $unfinished );
		return "$name cannot be written.";
	}

	/**
	 * Returns whether a file may contain passwords, as wp-config.php does. Its unfinished copy must have a name that ends in
	 * `.php`, because a web server sends other files as they are. In the folder of the must-use plugins it must not: WordPress
	 * runs each `.php` file there.
	 *
	 * @param string $path The path.
	 */
	private static function is_secret( string $path ): bool {
		return '.php' === substr( $path, -4 ) && 0 !== strpos( $path, WPMU_PLUGIN_DIR . '/' );
	}

	/**
	 * Writes a new file that nobody else can read. Returns whether all of it was written.
	 *
	 * @param string $path    The path.
	 * @param string $content The content.
	 */
	private static function write_secret( string $path, string $content ): bool {
		$file = @fopen( $path, 'x' );
		if ( false === $file ) {
			return false;
		}
		$is_written = @chmod( $path, 0600 ) && strlen( $content ) === @fwrite( $file, $content );
		return fclose( $file ) && $is_written;
	}

	/**
	 * Gives a file the group of another one, by which the web server may read it. Returns whether it has it.
	 *
	 * @param string $other The path of the other file.
	 * @param string $path  The path.
	 */
	private static function give_group_of( string $other, string $path ): bool {
		$group = filegroup( $other );
		if ( false === $group || filegroup( $path ) === $group ) {
			return false !== $group;
		}
		// A host may forbid it.
		return function_exists( 'chgrp' ) && @chgrp( $path, $group );
	}

	/**
	 * Deletes a file, and what a process that was killed while it wrote has left of it. Returns what failed, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function delete( string $path ): string {
		@unlink( $path );
		clearstatcache( true, $path );
		if ( file_exists( $path ) ) {
			return self::shown( $path ) . ' cannot be deleted. Delete it by hand.';
		}
		self::forget_compiled( $path );
		return '';
	}

	/**
	 * Deletes what a process that was killed while it wrote has left.
	 *
	 * @param string $path Of the file that it wrote.
	 */
	public static function sweep( string $path ): void {
		// Earlier versions used this name for every file.
		if ( is_file( $path . self::UNFINISHED ) ) {
			@unlink( $path . self::UNFINISHED );
		}
		if ( ! self::is_secret( $path ) ) {
			return;
		}
		// Not glob(): the name of the folder may contain what is special to it.
		$pattern = '/^' . preg_quote( basename( $path, '.php' ), '/' ) . '-picket-[0-9a-f]{16}\.php$/D';
		foreach ( preg_grep( $pattern, (array) @scandir( dirname( $path ) ) ) as $left ) {
			@unlink( dirname( $path ) . "/$left" );
		}
	}

	/**
	 * PHP may go on using what it has compiled of the file for some seconds.
	 *
	 * @param string $path The path.
	 */
	private static function forget_compiled( string $path ): void {
		if ( '.php' === substr( $path, -4 ) && function_exists( 'opcache_invalidate' ) ) {
			// A host may forbid it, with a warning.
			@opcache_invalidate( $path, true );
		}
	}

	/**
	 * Returns a path as it is shown: without the folder of the site.
	 *
	 * @param string $path The path.
	 */
	public static function shown( string $path ): string {
		foreach ( array( dirname( WP_CONTENT_DIR ), untrailingslashit( ABSPATH ) ) as $root ) {
			if ( 0 === strpos( $path, $root . '/' ) ) {
				return substr( $path, strlen( $root ) + 1 );
			}
		}
		return basename( $path );
	}
}
