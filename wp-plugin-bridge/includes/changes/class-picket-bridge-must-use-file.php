<?php
/**
 * A must-use plugin of a few lines.
 *
 * @package PicketBridge
 */

/**
 * Works on every web server, and outlives no deactivation.
 */
final class Picket_Bridge_Must_Use_File implements Picket_Bridge_Change {

	/**
	 * Of the file.
	 *
	 * @var string
	 */
	private $name;

	/**
	 * What it does, which also marks it as a file of this plugin.
	 *
	 * @var string
	 */
	private $mark;

	/**
	 * PHP.
	 *
	 * @var string
	 */
	private $code;

	/**
	 * Describes the file.
	 *
	 * @param string $check The check that it is for.
	 * @param string $title What it does, in a few words.
	 * @param string $code  PHP, which is run unless the changes of Picket are switched off.
	 */
	public function __construct( string $check, string $title, string $code ) {
		$this->name = "picket-bridge-$check.php";
		$this->mark = "Picket Bridge: $title";
		$this->code = $code;
	}

	/**
	 * Returns the content of the file.
	 */
	private function content(): string {
		return "<?php\n"
			. '/*' . "\n"
			. 'Plugin Name: ' . $this->mark . "\n"
			. 'Description: Written by the plugin Picket Bridge, which removes it when it is deactivated. An empty file' . "\n"
			. 'wp-content/picket-safe-mode, or PICKET_SAFE_MODE in wp-config.php, switches it off.' . "\n"
			. '*/' . "\n"
			. 'if ( ! ( ' . Picket_Bridge_Safe_Mode::CONDITION . " ) ) {\n"
			. preg_replace( '/^(?=.)/m', "\t", $this->code )
			. "}\n";
	}

	/**
	 * Returns where the file is.
	 */
	private function path(): string {
		return WPMU_PLUGIN_DIR . '/' . $this->name;
	}

	/**
	 * Returns whether there is a file of this plugin, and not of somebody else.
	 */
	public function is_applied(): bool {
		return false !== strpos( (string) Picket_Bridge_File::read( $this->path() ), $this->mark );
	}

	/**
	 * Returns why the file cannot be written.
	 */
	public function obstacle(): string {
		if ( file_exists( $this->path() ) && ! $this->is_applied() ) {
			return Picket_Bridge_File::shown( $this->path() ) . ' exists and is not of Picket. It was left alone.';
		}
		return '';
	}

	/**
	 * Writes the file, and makes its folder.
	 */
	public function write(): string {
		return Picket_Bridge_Must_Use_Folder::put( $this->path(), $this->content() );
	}

	/**
	 * Removes the file, and the folder if this plugin has created it.
	 */
	public function undo(): string {
		return Picket_Bridge_Must_Use_Folder::remove( $this->path(), $this->is_applied() );
	}
}
